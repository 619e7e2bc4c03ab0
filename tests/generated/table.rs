//! Tables in Markdown.

/// A text as code.
pub(crate) fn code(text: &str) -> String {
    format!("`{text}`")
}

/// A table with a line for each row.
pub(crate) fn table<const N: usize>(heads: &[&str; N], rows: impl IntoIterator<Item = [String; N]>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let mut text = line(&heads.map(str::to_owned));
    text.push_str(&format!("{}|\n", "|---".repeat(N)));
    for row in rows {
        text.push_str(&line(&row.map(|cell| cell.replace('|', "\\|"))));
    }
    text
}
