//! The table of all functions and operators: their overloads, the cost of a call, and their implementation.
//!
//! The overloads are those of `cel-go` 0.26 as `k8s.io/apiserver` v0.35.3 configures it; so are the costs, which
//! come from `interpreter/runtimecost.go`, `checker/cost.go`, `ext/{lists,sets}.go` and `library/cost.go`.

use super::call::Implementation;
use super::signature::{Cost, Function, Overload, Sig};
use super::{convert, format, lists, network, operators, optionals, quantity, regex, strings, time, url, version};

/// All functions, in the order of their names.
pub(crate) fn all() -> impl Iterator<Item = &'static Function> {
    FUNCTIONS.iter()
}

/// The function with this name.
pub(crate) fn lookup(name: &str) -> Option<&'static Function> {
    FUNCTIONS.binary_search_by(|function| function.name.cmp(name)).ok().map(|index| &FUNCTIONS[index])
}

pub(super) const QUANTITY: Sig = Sig::Opaque("kubernetes.Quantity");
pub(super) const SEMVER: Sig = Sig::Opaque("kubernetes.Semver");
const URL: Sig = Sig::Opaque("kubernetes.URL");
const FORMAT: Sig = Sig::Opaque("kubernetes.NamedFormat");
const IP: Sig = Sig::Opaque("net.IP");
const CIDR: Sig = Sig::Opaque("net.CIDR");
/// The types of the authorizer library. No environment has the variable `authorizer`, but both have its functions.
const AUTHORIZER: Sig = Sig::Opaque("kubernetes.authorization.Authorizer");
const PATH_CHECK: Sig = Sig::Opaque("kubernetes.authorization.PathCheck");
const GROUP_CHECK: Sig = Sig::Opaque("kubernetes.authorization.GroupCheck");
const RESOURCE_CHECK: Sig = Sig::Opaque("kubernetes.authorization.ResourceCheck");
const DECISION: Sig = Sig::Opaque("kubernetes.authorization.Decision");

const A: Sig = Sig::Param(0);
const B: Sig = Sig::Param(1);
const LIST_A: Sig = Sig::List(&A);
const MAP_AB: Sig = Sig::Map(&A, &B);
const OPTIONAL_A: Sig = Sig::Optional(&A);
const OPTIONAL_B: Sig = Sig::Optional(&B);
const STRINGS: Sig = Sig::List(&Sig::String);

pub(super) const fn global(parameters: &'static [Sig], result: Sig, cost: Cost) -> Overload {
    Overload { member: false, parameters, result, cost }
}

pub(super) const fn member(parameters: &'static [Sig], result: Sig, cost: Cost) -> Overload {
    Overload { member: true, parameters, result, cost }
}

pub(super) const fn function(name: &'static str, run: Implementation, overloads: &'static [Overload]) -> Function {
    Function { name, run, overloads }
}

/// The overloads of `<`, `<=`, `>` and `>=`: within a type, and between types of numbers.
const ORDER: &[Overload] = &[
    global(&[Bool, Bool], Bool, One),
    global(&[Int, Int], Bool, One),
    global(&[Int, Double], Bool, One),
    global(&[Int, Uint], Bool, One),
    global(&[Uint, Uint], Bool, One),
    global(&[Uint, Double], Bool, One),
    global(&[Uint, Int], Bool, One),
    global(&[Double, Double], Bool, One),
    global(&[Double, Int], Bool, One),
    global(&[Double, Uint], Bool, One),
    global(&[String, String], Bool, Compare),
    global(&[Bytes, Bytes], Bool, Compare),
    global(&[Timestamp, Timestamp], Bool, One),
    global(&[Duration, Duration], Bool, One),
];

/// The overloads of accessors of timestamps, in UTC or in a time zone.
const OF_TIMESTAMP: &[Overload] = &[member(&[Timestamp], Int, One), member(&[Timestamp, String], Int, One)];

/// The overloads of accessors that durations have too.
const OF_TIME: &[Overload] =
    &[member(&[Timestamp], Int, One), member(&[Timestamp, String], Int, One), member(&[Duration], Int, One)];

/// The overloads of `min` and `max`: a list of elements that have an order, and such an element.
const LEAST: &[Overload] = &[
    member(&[Sig::List(&Int)], Int, Elements),
    member(&[Sig::List(&Uint)], Uint, Elements),
    member(&[Sig::List(&Double)], Double, Elements),
    member(&[Sig::List(&Bool)], Bool, Elements),
    member(&[Sig::List(&Duration)], Duration, Elements),
    member(&[Sig::List(&Timestamp)], Timestamp, Elements),
    member(&[Sig::List(&String)], String, Elements),
    member(&[Sig::List(&Bytes)], Bytes, Elements),
];

const FORMATS: &[Overload] = &[global(&[], FORMAT, One)];
const OF_IP: &[Overload] = &[member(&[IP], Bool, OneByName)];
const OF_URL: &[Overload] = &[member(&[URL], String, OneByName)];
const OF_VERSION: &[Overload] = &[member(&[SEMVER], Int, OneByName)];
const ADD_QUANTITY: &[Overload] =
    &[member(&[QUANTITY, QUANTITY], QUANTITY, OneByName), member(&[QUANTITY, Int], QUANTITY, OneByName)];

use Cost::{
    Check, Compare, Concatenate, Contains, ContainsCidr, ContainsIp, Elements, Find, Flatten, Free, InList, Join,
    MakeList, Match, One, OneByName, Product, Select, SelfCompare, SelfCompareKeys, Traverse, TraverseArgument,
    TraverseOnly, TraverseTwice, Validate,
};
use Sig::{Bool, Bytes, Double, Duration, Dyn, Int, String, Timestamp, Uint};

/// The table, sorted by the bytes of the names.
static FUNCTIONS: &[Function] = &[
    function("!_", operators::not, &[global(&[Bool], Bool, One)]),
    function("-_", operators::negate, &[global(&[Double], Double, One), global(&[Int], Int, One)]),
    function("@in", operators::contains, &[global(&[A, LIST_A], Bool, InList), global(&[A, MAP_AB], Bool, One)]),
    function("@not_strictly_false", operators::not_strictly_false, &[global(&[Bool], Bool, One)]),
    function(
        "@sortByAssociatedKeys",
        lists::sort_by,
        &[
            member(&[LIST_A, Sig::List(&Int)], LIST_A, SelfCompareKeys),
            member(&[LIST_A, Sig::List(&Uint)], LIST_A, SelfCompareKeys),
            member(&[LIST_A, Sig::List(&Double)], LIST_A, SelfCompareKeys),
            member(&[LIST_A, Sig::List(&Bool)], LIST_A, SelfCompareKeys),
            member(&[LIST_A, Sig::List(&Duration)], LIST_A, SelfCompareKeys),
            member(&[LIST_A, Sig::List(&Timestamp)], LIST_A, SelfCompareKeys),
            member(&[LIST_A, Sig::List(&String)], LIST_A, SelfCompareKeys),
            member(&[LIST_A, Sig::List(&Bytes)], LIST_A, SelfCompareKeys),
        ],
    ),
    function("_!=_", operators::not_equal, &[global(&[A, A], Bool, Compare)]),
    function("_%_", operators::remainder, &[global(&[Int, Int], Int, One), global(&[Uint, Uint], Uint, One)]),
    function("_&&_", operators::unreachable, &[global(&[Bool, Bool], Bool, Free)]),
    function(
        "_*_",
        operators::multiply,
        &[global(&[Double, Double], Double, One), global(&[Int, Int], Int, One), global(&[Uint, Uint], Uint, One)],
    ),
    function(
        "_+_",
        operators::add,
        &[
            global(&[Bytes, Bytes], Bytes, Concatenate),
            global(&[Double, Double], Double, One),
            global(&[Duration, Duration], Duration, One),
            global(&[Duration, Timestamp], Timestamp, One),
            global(&[Timestamp, Duration], Timestamp, One),
            global(&[Int, Int], Int, One),
            global(&[LIST_A, LIST_A], LIST_A, One),
            global(&[String, String], String, Concatenate),
            global(&[Uint, Uint], Uint, One),
        ],
    ),
    function(
        "_-_",
        operators::subtract,
        &[
            global(&[Double, Double], Double, One),
            global(&[Duration, Duration], Duration, One),
            global(&[Int, Int], Int, One),
            global(&[Timestamp, Duration], Timestamp, One),
            global(&[Timestamp, Timestamp], Duration, One),
            global(&[Uint, Uint], Uint, One),
        ],
    ),
    function(
        "_/_",
        operators::divide,
        &[global(&[Double, Double], Double, One), global(&[Int, Int], Int, One), global(&[Uint, Uint], Uint, One)],
    ),
    function("_<=_", operators::less_or_equal, ORDER),
    function("_<_", operators::less, ORDER),
    function("_==_", operators::equal, &[global(&[A, A], Bool, Cost::Equal)]),
    function("_>=_", operators::greater_or_equal, ORDER),
    function("_>_", operators::greater, ORDER),
    function("_?._", operators::unreachable, &[global(&[Dyn, String], OPTIONAL_A, One)]),
    function("_?_:_", operators::unreachable, &[global(&[Bool, A, A], A, Free)]),
    function(
        "_[?_]",
        operators::unreachable,
        &[
            global(&[LIST_A, Int], OPTIONAL_A, One),
            global(&[Sig::Optional(&LIST_A), Int], OPTIONAL_A, One),
            global(&[MAP_AB, A], OPTIONAL_B, One),
            global(&[Sig::Optional(&MAP_AB), A], OPTIONAL_B, One),
        ],
    ),
    function(
        "_[_]",
        operators::unreachable,
        &[
            global(&[LIST_A, Int], A, One),
            global(&[MAP_AB, A], B, One),
            global(&[Sig::Optional(&LIST_A), Int], OPTIONAL_A, One),
            global(&[Sig::Optional(&MAP_AB), A], OPTIONAL_B, One),
        ],
    ),
    function("_||_", operators::unreachable, &[global(&[Bool, Bool], Bool, Free)]),
    function("add", quantity::add, ADD_QUANTITY),
    function("allowed", operators::unreachable, &[member(&[DECISION], Bool, OneByName)]),
    function("asApproximateFloat", quantity::as_approximate_float, &[member(&[QUANTITY], Double, OneByName)]),
    function("asInteger", quantity::as_integer, &[member(&[QUANTITY], Int, OneByName)]),
    function("bool", convert::to_bool, &[global(&[Bool], Bool, One), global(&[String], Bool, One)]),
    function("bytes", convert::to_bytes, &[global(&[Bytes], Bytes, One), global(&[String], Bytes, TraverseOnly)]),
    function(
        "cel.@mapInsert",
        operators::unreachable,
        &[global(&[MAP_AB, A, B], MAP_AB, One), global(&[MAP_AB, MAP_AB], MAP_AB, One)],
    ),
    function("charAt", strings::char_at, &[member(&[String, Int], String, One)]),
    function(
        "check",
        operators::unreachable,
        &[member(&[PATH_CHECK, String], DECISION, Check), member(&[RESOURCE_CHECK, String], DECISION, Check)],
    ),
    function("cidr", network::parse_cidr, &[global(&[String], CIDR, Traverse)]),
    function(
        "compareTo",
        quantity::compare_to,
        &[member(&[QUANTITY, QUANTITY], Int, OneByName), member(&[SEMVER, SEMVER], Int, OneByName)],
    ),
    function("contains", strings::contains, &[member(&[String, String], Bool, Contains)]),
    function(
        "containsCIDR",
        network::contains_cidr,
        &[
            member(&[CIDR, String], Bool, ContainsCidr { text: true }),
            member(&[CIDR, CIDR], Bool, ContainsCidr { text: false }),
        ],
    ),
    function(
        "containsIP",
        network::contains_ip,
        &[
            member(&[CIDR, String], Bool, ContainsIp { text: true }),
            member(&[CIDR, IP], Bool, ContainsIp { text: false }),
        ],
    ),
    function("distinct", lists::distinct, &[member(&[LIST_A], LIST_A, SelfCompare)]),
    function(
        "double",
        convert::to_double,
        &[
            global(&[Double], Double, One),
            global(&[Int], Double, One),
            global(&[String], Double, One),
            global(&[Uint], Double, One),
        ],
    ),
    function(
        "duration",
        convert::to_duration,
        &[global(&[Duration], Duration, One), global(&[Int], Duration, One), global(&[String], Duration, One)],
    ),
    function("dyn", convert::to_dyn, &[global(&[A], Dyn, One)]),
    function("endsWith", strings::ends_with, &[member(&[String, String], Bool, TraverseArgument)]),
    function("error", operators::unreachable, &[member(&[DECISION], String, OneByName)]),
    function("errored", operators::unreachable, &[member(&[DECISION], Bool, OneByName)]),
    function("family", network::family, &[member(&[IP], Int, OneByName)]),
    function("fieldSelector", operators::unreachable, &[member(&[RESOURCE_CHECK, String], RESOURCE_CHECK, Select)]),
    function("find", regex::find, &[member(&[String, String], String, Find)]),
    function(
        "findAll",
        regex::find_all,
        &[member(&[String, String], STRINGS, Find), member(&[String, String, Int], STRINGS, Find)],
    ),
    function("first", lists::first, &[member(&[LIST_A], OPTIONAL_A, One)]),
    function(
        "flatten",
        lists::flatten,
        &[member(&[Sig::List(&LIST_A)], LIST_A, Flatten), member(&[Sig::List(&Dyn), Int], Sig::List(&Dyn), Flatten)],
    ),
    function("format", strings::format, &[member(&[String, Sig::List(&Dyn)], String, TraverseOnly)]),
    function("format.byte", format::byte, FORMATS),
    function("format.date", format::date, FORMATS),
    function("format.datetime", format::datetime, FORMATS),
    function("format.dns1035Label", format::dns1035_label, FORMATS),
    function("format.dns1035LabelPrefix", format::dns1035_label_prefix, FORMATS),
    function("format.dns1123Label", format::dns1123_label, FORMATS),
    function("format.dns1123LabelPrefix", format::dns1123_label_prefix, FORMATS),
    function("format.dns1123Subdomain", format::dns1123_subdomain, FORMATS),
    function("format.dns1123SubdomainPrefix", format::dns1123_subdomain_prefix, FORMATS),
    function("format.labelValue", format::label_value, FORMATS),
    function("format.named", format::named, &[global(&[String], Sig::Optional(&FORMAT), OneByName)]),
    function("format.qualifiedName", format::qualified_name, FORMATS),
    function("format.uri", format::uri, FORMATS),
    function("format.uuid", format::uuid, FORMATS),
    function("getDate", time::date, OF_TIMESTAMP),
    function("getDayOfMonth", time::day_of_month, OF_TIMESTAMP),
    function("getDayOfWeek", time::day_of_week, OF_TIMESTAMP),
    function("getDayOfYear", time::day_of_year, OF_TIMESTAMP),
    function("getEscapedPath", url::path, OF_URL),
    function("getFullYear", time::year, OF_TIMESTAMP),
    function("getHost", url::host, OF_URL),
    function("getHostname", url::hostname, OF_URL),
    function("getHours", time::hours, OF_TIME),
    function("getMilliseconds", time::milliseconds, OF_TIME),
    function("getMinutes", time::minutes, OF_TIME),
    function("getMonth", time::month, OF_TIMESTAMP),
    function("getPort", url::port, OF_URL),
    function("getQuery", url::query, &[member(&[URL], Sig::Map(&String, &STRINGS), OneByName)]),
    function("getScheme", url::scheme, OF_URL),
    function("getSeconds", time::seconds, OF_TIME),
    function("group", operators::unreachable, &[member(&[AUTHORIZER, String], GROUP_CHECK, OneByName)]),
    function("hasValue", optionals::has_value, &[member(&[OPTIONAL_A], Bool, One)]),
    function("includes", lists::includes, &[member(&[Dyn, Dyn], Bool, One)]),
    function(
        "indexOf",
        strings::index_of,
        &[
            member(&[LIST_A, A], Int, Elements),
            member(&[String, String], Int, Elements),
            member(&[String, String, Int], Int, Elements),
        ],
    ),
    function(
        "int",
        convert::to_int,
        &[
            global(&[Int], Int, One),
            global(&[Double], Int, One),
            global(&[Duration], Int, One),
            global(&[String], Int, One),
            global(&[Timestamp], Int, One),
            global(&[Uint], Int, One),
        ],
    ),
    function("ip", network::parse_ip, &[global(&[String], IP, Traverse), member(&[CIDR], IP, OneByName)]),
    function("ip.isCanonical", network::is_canonical, &[global(&[String], Bool, TraverseTwice)]),
    function("isCIDR", network::is_cidr, &[global(&[String], Bool, Traverse)]),
    function("isGlobalUnicast", network::is_global_unicast, OF_IP),
    function(
        "isGreaterThan",
        quantity::is_greater_than,
        &[member(&[QUANTITY, QUANTITY], Bool, OneByName), member(&[SEMVER, SEMVER], Bool, OneByName)],
    ),
    function("isIP", network::is_ip, &[global(&[String], Bool, Traverse)]),
    function("isInteger", quantity::is_integer, &[member(&[QUANTITY], Bool, OneByName)]),
    function(
        "isLessThan",
        quantity::is_less_than,
        &[member(&[QUANTITY, QUANTITY], Bool, OneByName), member(&[SEMVER, SEMVER], Bool, OneByName)],
    ),
    function("isLinkLocalMulticast", network::is_link_local_multicast, OF_IP),
    function("isLinkLocalUnicast", network::is_link_local_unicast, OF_IP),
    function("isLoopback", network::is_loopback, OF_IP),
    function("isQuantity", quantity::is_quantity, &[global(&[String], Bool, Traverse)]),
    function(
        "isSemver",
        version::is_semver,
        &[global(&[String], Bool, Traverse), global(&[String, Bool], Bool, Traverse)],
    ),
    function(
        "isSorted",
        lists::is_sorted,
        &[
            member(&[Sig::List(&Int)], Bool, Elements),
            member(&[Sig::List(&Uint)], Bool, Elements),
            member(&[Sig::List(&Double)], Bool, Elements),
            member(&[Sig::List(&Bool)], Bool, Elements),
            member(&[Sig::List(&Duration)], Bool, Elements),
            member(&[Sig::List(&Timestamp)], Bool, Elements),
            member(&[Sig::List(&String)], Bool, Elements),
            member(&[Sig::List(&Bytes)], Bool, Elements),
        ],
    ),
    function("isURL", url::is_url, &[global(&[String], Bool, One)]),
    function("isUnspecified", network::is_unspecified, OF_IP),
    function("join", strings::join, &[member(&[STRINGS], String, Join), member(&[STRINGS, String], String, Join)]),
    function("labelSelector", operators::unreachable, &[member(&[RESOURCE_CHECK, String], RESOURCE_CHECK, Select)]),
    function("last", lists::last, &[member(&[LIST_A], OPTIONAL_A, One)]),
    function(
        "lastIndexOf",
        strings::last_index_of,
        &[
            member(&[LIST_A, A], Int, Elements),
            member(&[String, String], Int, Elements),
            member(&[String, String, Int], Int, Elements),
        ],
    ),
    function("lists.range", lists::range, &[global(&[Int], Sig::List(&Int), MakeList)]),
    function("lowerAscii", strings::lower_ascii, &[member(&[String], String, Traverse)]),
    function("major", version::major, OF_VERSION),
    function("masked", network::masked, &[member(&[CIDR], CIDR, OneByName)]),
    function(
        "matches",
        regex::matches,
        &[global(&[String, String], Bool, One), member(&[String, String], Bool, Match)],
    ),
    function("max", lists::max, LEAST),
    function("min", lists::min, LEAST),
    function("minor", version::minor, OF_VERSION),
    function("name", operators::unreachable, &[member(&[RESOURCE_CHECK, String], RESOURCE_CHECK, OneByName)]),
    function("namespace", operators::unreachable, &[member(&[RESOURCE_CHECK, String], RESOURCE_CHECK, OneByName)]),
    function("optional.none", optionals::none, &[global(&[], OPTIONAL_A, One)]),
    function("optional.of", optionals::of, &[global(&[A], OPTIONAL_A, One)]),
    function("optional.ofNonZeroValue", optionals::of_non_zero, &[global(&[A], OPTIONAL_A, One)]),
    function("optional.unwrap", optionals::unwrap, &[global(&[Sig::List(&OPTIONAL_A)], LIST_A, One)]),
    function("or", operators::unreachable, &[member(&[OPTIONAL_A, OPTIONAL_A], OPTIONAL_A, Free)]),
    function("orValue", operators::unreachable, &[member(&[OPTIONAL_A, A], A, Free)]),
    function("patch", version::patch, OF_VERSION),
    function("path", operators::unreachable, &[member(&[AUTHORIZER, String], PATH_CHECK, OneByName)]),
    function("prefixLength", network::prefix_length, &[member(&[CIDR], Int, OneByName)]),
    function("quantity", quantity::parse, &[global(&[String], QUANTITY, Traverse)]),
    function("reason", operators::unreachable, &[member(&[DECISION], String, OneByName)]),
    function(
        "replace",
        strings::replace,
        &[
            member(&[String, String, String], String, TraverseTwice),
            member(&[String, String, String, Int], String, TraverseTwice),
        ],
    ),
    function("resource", operators::unreachable, &[member(&[GROUP_CHECK, String], RESOURCE_CHECK, OneByName)]),
    function("reverse", lists::reverse, &[member(&[LIST_A], LIST_A, MakeList)]),
    function(
        "semver",
        version::parse,
        &[global(&[String], SEMVER, Traverse), global(&[String, Bool], SEMVER, Traverse)],
    ),
    function("serviceAccount", operators::unreachable, &[member(&[AUTHORIZER, String, String], AUTHORIZER, OneByName)]),
    function("sets.contains", lists::set_contains, &[global(&[LIST_A, LIST_A], Bool, Product(1))]),
    function("sets.equivalent", lists::sets_equivalent, &[global(&[LIST_A, LIST_A], Bool, Product(2))]),
    function("sets.intersects", lists::sets_intersect, &[global(&[LIST_A, LIST_A], Bool, Product(1))]),
    function("sign", quantity::sign, &[global(&[QUANTITY], Int, OneByName)]),
    function(
        "size",
        operators::size,
        &[
            global(&[Bytes], Int, One),
            member(&[Bytes], Int, One),
            global(&[LIST_A], Int, One),
            member(&[LIST_A], Int, One),
            global(&[MAP_AB], Int, One),
            member(&[MAP_AB], Int, One),
            global(&[String], Int, One),
            member(&[String], Int, One),
        ],
    ),
    function("slice", lists::slice, &[member(&[LIST_A, Int, Int], LIST_A, MakeList)]),
    function(
        "sort",
        lists::sort,
        &[
            member(&[Sig::List(&Int)], Sig::List(&Int), SelfCompare),
            member(&[Sig::List(&Uint)], Sig::List(&Uint), SelfCompare),
            member(&[Sig::List(&Double)], Sig::List(&Double), SelfCompare),
            member(&[Sig::List(&Bool)], Sig::List(&Bool), SelfCompare),
            member(&[Sig::List(&Duration)], Sig::List(&Duration), SelfCompare),
            member(&[Sig::List(&Timestamp)], Sig::List(&Timestamp), SelfCompare),
            member(&[Sig::List(&String)], STRINGS, SelfCompare),
            member(&[Sig::List(&Bytes)], Sig::List(&Bytes), SelfCompare),
        ],
    ),
    function(
        "split",
        strings::split,
        &[member(&[String, String], STRINGS, TraverseTwice), member(&[String, String, Int], STRINGS, TraverseTwice)],
    ),
    function("startsWith", strings::starts_with, &[member(&[String, String], Bool, TraverseArgument)]),
    function(
        "string",
        convert::to_string,
        &[
            global(&[String], String, One),
            global(&[Bool], String, One),
            global(&[Bytes], String, TraverseOnly),
            global(&[Double], String, One),
            global(&[Duration], String, One),
            global(&[Int], String, One),
            global(&[Timestamp], String, One),
            global(&[Uint], String, One),
            global(&[IP], String, One),
            global(&[CIDR], String, One),
        ],
    ),
    function("strings.quote", strings::quote, &[global(&[String], String, TraverseOnly)]),
    function("sub", quantity::subtract, ADD_QUANTITY),
    function("subresource", operators::unreachable, &[member(&[RESOURCE_CHECK, String], RESOURCE_CHECK, OneByName)]),
    function(
        "substring",
        strings::substring,
        &[member(&[String, Int], String, Traverse), member(&[String, Int, Int], String, Traverse)],
    ),
    function(
        "sum",
        lists::sum,
        &[
            member(&[Sig::List(&Int)], Int, Elements),
            member(&[Sig::List(&Uint)], Uint, Elements),
            member(&[Sig::List(&Double)], Double, Elements),
            member(&[Sig::List(&Duration)], Duration, Elements),
        ],
    ),
    function(
        "timestamp",
        convert::to_timestamp,
        &[global(&[Timestamp], Timestamp, One), global(&[Int], Timestamp, One), global(&[String], Timestamp, One)],
    ),
    function("trim", strings::trim, &[member(&[String], String, Traverse)]),
    function("type", convert::to_type, &[global(&[A], Sig::Type(&A), One)]),
    function(
        "uint",
        convert::to_uint,
        &[
            global(&[Uint], Uint, One),
            global(&[Double], Uint, One),
            global(&[Int], Uint, One),
            global(&[String], Uint, One),
        ],
    ),
    function("unwrapOpt", optionals::unwrap, &[member(&[Sig::List(&OPTIONAL_A)], LIST_A, One)]),
    function("upperAscii", strings::upper_ascii, &[member(&[String], String, Traverse)]),
    function("url", url::parse, &[global(&[String], URL, Traverse)]),
    function("validate", format::validate, &[member(&[FORMAT, String], Sig::Optional(&STRINGS), Validate)]),
    function("value", optionals::value, &[member(&[OPTIONAL_A], A, One)]),
];

#[cfg(test)]
mod tests {
    use super::{FUNCTIONS, lookup};

    #[test]
    fn names_are_in_order() {
        for pair in FUNCTIONS.windows(2) {
            assert!(pair[0].name < pair[1].name, "`{}` belongs before `{}`", pair[1].name, pair[0].name);
        }
        assert!(FUNCTIONS.iter().all(|function| lookup(function.name).is_some()));
    }
}
