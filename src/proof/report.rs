//! Everything that was found out about the claims of a variant, as one page that a browser opens from disk.

use std::fmt::Write;

use crate::chart::{chart, escaped};
use crate::position::{Fen, Move, Position};
use crate::proof::findings::in_plies;
use crate::proof::{Claim, Finding, Findings, Verdict};
use crate::rules::{Colour, Rules};

const HEAD: &str = "<meta charset=\"utf-8\">\n\
    <meta name=\"viewport\" content=\"width=device-width\">\n\
    <style>\n\
    :root{color-scheme:light dark;font-family:sans-serif;line-height:1.4}\n\
    body{max-width:60em;margin:2em auto;padding:0 1em}\n\
    table{border-collapse:collapse;font-variant-numeric:tabular-nums}\n\
    th,td{padding:.2em .8em;text-align:right;border-bottom:1px solid #8886}\n\
    th:first-child,td:first-child,td:last-child,th:last-child{text-align:left}\n\
    svg{max-width:100%;height:auto} code{font-size:1.05em} .summary{font-weight:bold}\n\
    </style>\n";

/// The page.
#[must_use]
pub fn report<R: Rules>(all: &[Findings<R>]) -> String {
    let mut page = String::new();
    write_page(&mut page, all).expect("writing into text does not fail");
    page
}

fn write_page<R: Rules>(page: &mut String, all: &[Findings<R>]) -> std::fmt::Result {
    let name = R::NAME;
    writeln!(
        page,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<title>Draw rules of {name} draughts</title>\n{HEAD}</head>"
    )?;
    writeln!(page, "<body>\n<h1>Draw rules and sayings of {name} draughts, held against complete tables</h1>")?;
    writeln!(
        page,
        "<p>Every number is counted over all positions of a material, for the side to move. A win is cut off if the \
         count of a draw rule that begins with the position is full before it; a longest win may take more plies than \
         that where captures and moves of men set the count back. Every rule is held against the tables by itself, \
         except where tables of outcomes answer to several counts at once: there a claim is open as soon as one of \
         them takes wins away.</p>\n<ul>"
    )?;
    for findings in all {
        let rule = findings.claim.rule;
        writeln!(page, "<li><a href=\"#{rule}\">{rule}</a>: {}</li>", escaped(&findings.summary()))?;
    }
    writeln!(page, "</ul>")?;
    for findings in all {
        write_claim(page, findings)?;
    }
    writeln!(page, "</body>\n</html>")
}

fn write_claim<R: Rules>(page: &mut String, findings: &Findings<R>) -> std::fmt::Result {
    let Findings { claim, findings: all } = findings;
    writeln!(page, "<h2 id=\"{0}\">{0}</h2>", claim.rule)?;
    writeln!(page, "<p>{} ({})</p>", escaped(claim.says), escaped(claim.source))?;
    if all.is_empty() {
        return writeln!(page, "<p>No table at hand that it speaks of.</p>");
    }
    writeln!(page, "<p class=\"summary\">{}.</p>", escaped(&findings.summary()))?;
    writeln!(
        page,
        "<table>\n<tr><th>to move<th>positions<th>won<th>drawn<th>lost<th>longest<th>as long<th>by<th>cut off<th>share<th>claim</tr>"
    )?;
    for finding in all {
        write_row(page, claim, finding)?;
    }
    writeln!(page, "</table>")?;
    for finding in all {
        if let Some(longest) = finding.longest {
            let (plies, count) = (in_plies(longest.plies), longest.count);
            let positions = if count == 1 { "position" } else { "positions" };
            let says = format!("longest of {}, {plies} by {}, {count} {positions}", finding.material, finding.by);
            write_line(page, &says, longest.position, &finding.line)?;
        }
        if let Verdict::False(_, position) = &finding.verdict {
            write_line(page, &format!("not so in {}", finding.material), *position, &[])?;
        }
        for sample in &finding.samples {
            let says = format!("cut off in {}, {} by {}", finding.material, in_plies(sample.plies), finding.by);
            write_line(page, &says, sample.position, &sample.line)?;
        }
    }
    writeln!(page, "{}", chart(&findings.panels()))
}

fn write_row<R: Rules>(page: &mut String, claim: &Claim, finding: &Finding<R>) -> std::fmt::Result {
    let tally = &finding.tally;
    let (none, unknown) = (|| "-".to_string(), || "?".to_string());
    writeln!(
        page,
        "<tr><td>{}<td>{}<td>{}<td>{}<td>{}<td>{}<td>{}<td>{}<td>{}<td>{}<td>{}</tr>",
        finding.material,
        tally.positions(),
        tally.wins,
        tally.draws,
        tally.losses,
        finding.longest.map_or_else(none, |longest| longest.plies.to_string()),
        finding.longest.map_or_else(none, |longest| longest.count.to_string()),
        finding.by,
        finding.cut_off.map_or_else(unknown, |count| count.to_string()),
        finding.share(claim).map_or_else(unknown, |share| format!("{:.4} %", 100.0 * share)),
        match &finding.verdict {
            Verdict::Holds => "holds".to_string(),
            Verdict::False(count, _) => format!("false in {count}"),
            Verdict::Open => "open: the count can start afresh or end, or another is full".to_string(),
        }
    )
}

fn write_line<R: Rules>(page: &mut String, says: &str, position: Position<R>, line: &[Move]) -> std::fmt::Result {
    let fen = Fen { position, mover: Colour::White };
    let moves = fen.line_text(line).join(" ");
    writeln!(
        page,
        "<details><summary>{}: <code>{}</code></summary><p>{}</p></details>",
        escaped(says),
        escaped(&fen.to_string()),
        escaped(&moves)
    )
}
