//! Constants in tables, up to whole manifests.

use serde_json::{Map, Value};

/// A JSON value that a `const` can hold. [`data!`](crate::data!) writes it in JSON syntax.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Data {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// An integer.
    Integer(i64),
    /// A text.
    Text(&'static str),
    /// A list.
    List(&'static [Data]),
    /// An object: keys and values.
    Object(&'static [(&'static str, Data)]),
    /// JSON text, e.g. from a file of third-party software. Text that is not JSON becomes `null`.
    Json(&'static str),
}

impl Data {
    /// The same value as a [`Value`].
    pub fn to_value(&self) -> Value {
        match *self {
            Self::Null => Value::Null,
            Self::Bool(it) => it.into(),
            Self::Integer(it) => it.into(),
            Self::Text(it) => it.into(),
            Self::List(items) => items.iter().map(Self::to_value).collect(),
            Self::Object(fields) => {
                let mut object = Map::new();
                object.extend(fields.iter().map(|(key, value)| ((*key).to_owned(), value.to_value())));
                Value::Object(object)
            }
            Self::Json(text) => serde_json::from_str(text).unwrap_or_default(),
        }
    }
}

/// A literal or constant inside [`data!`](crate::data!). Its type decides which [`Data`] it becomes.
#[derive(Clone, Copy, Debug)]
pub struct Literal<T>(pub T);

impl Literal<&'static str> {
    /// A text.
    pub const fn data(self) -> Data {
        Data::Text(self.0)
    }
}

impl Literal<i64> {
    /// An integer.
    pub const fn data(self) -> Data {
        Data::Integer(self.0)
    }
}

impl Literal<bool> {
    /// `true` or `false`.
    pub const fn data(self) -> Data {
        Data::Bool(self.0)
    }
}

impl Literal<Data> {
    /// The value of another constant.
    pub const fn data(self) -> Data {
        self.0
    }
}

/// Writes [`Data`] in JSON syntax. Texts, integers, booleans and other data may be names of constants. An expression of
/// more than one token, such as a negative number, needs parentheses.
#[macro_export]
macro_rules! data {
    (null) => { $crate::data::Data::Null };
    ([ $($item:tt),* $(,)? ]) => { $crate::data::Data::List(const { &[$($crate::data!($item)),*] }) };
    ({ $($key:literal : $value:tt),* $(,)? }) => { $crate::data::Data::Object(const { &[$(($key, $crate::data!($value))),*] }) };
    (($value:expr)) => { $crate::data!($value) };
    ($value:expr) => { $crate::data::Literal($value).data() };
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const HOST: &str = "controller.example.svc";
    const PORT: Data = data!({"name": "http", "port": 1063});

    #[test]
    fn data_is_json() {
        #[track_caller]
        fn check(data: Data, want: Value) {
            assert_eq!(data.to_value(), want);
        }
        check(data!(null), json!(null));
        check(data!(true), json!(true));
        check(data!(8080), json!(8080));
        check(data!([(-1)]), json!([-1]));
        check(data!("auto"), json!("auto"));
        check(data!([]), json!([]));
        check(data!({}), json!({}));
        check(data!(["get", ["a", 1], {"b": null}]), json!(["get", ["a", 1], {"b": null}]));
        check(
            data!({"service": {"host": HOST, "ports": [PORT]}, "enabled": true}),
            json!({"service": {"host": "controller.example.svc", "ports": [{"name": "http", "port": 1063}]}, "enabled": true}),
        );
        check(Data::Json(r#"{"kind": "CustomResourceDefinition"}"#), json!({"kind": "CustomResourceDefinition"}));
        check(Data::Json("kind: CustomResourceDefinition"), json!(null));
    }
}
