//! The lengths of wins as a picture: one panel a material, stacked in one SVG file.
//!
//! A bar stands for all positions whose win takes so many plies; its height is the logarithm of their number, so that
//! the few longest wins, which a draw rule would take away first, can be seen beside the many short ones. A red line
//! stands right behind the last ply that a rule allows.

use std::fmt::Write;

use crate::table::Distance;

/// What one panel shows.
#[derive(Clone, Debug)]
pub struct Panel<'a> {
    /// The line above it.
    pub title: String,
    /// How many positions end after how many plies, ascending.
    pub lengths: &'a [Distance],
    /// The plies a rule allows.
    pub limit_plies: Option<u32>,
}

const WIDTH: f64 = 720.0;
const PANEL: f64 = 190.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 34.0;
const BARS: f64 = 120.0;

/// Draws `panels` one below the other.
#[must_use]
pub fn plot(panels: &[Panel<'_>]) -> String {
    let height = PANEL * panels.len() as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
         viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (i, panel) in panels.iter().enumerate() {
        let _ = writeln!(svg, "<g transform=\"translate(0 {})\">", PANEL * i as f64);
        draw(&mut svg, panel);
        svg.push_str("</g>\n");
    }
    svg.push_str("</svg>\n");
    svg
}

/// Draws one panel; writing to a string cannot fail.
fn draw(svg: &mut String, panel: &Panel<'_>) {
    let longest = panel.lengths.last().map_or(0, |l| u32::from(l.plies));
    let most = panel.lengths.iter().map(|l| l.wins + l.losses).max().unwrap_or(0);
    let columns = longest.max(panel.limit_plies.unwrap_or(0)) + 1;
    let column = (WIDTH - LEFT - RIGHT) / f64::from(columns);
    let decades = (most.max(1) as f64).log10().floor() + 1.0;
    let floor = TOP + BARS;
    let _ = writeln!(svg, "<text x=\"{LEFT}\" y=\"18\" font-weight=\"bold\">{}</text>", escaped(&panel.title));
    for decade in 0..=decades as u32 {
        let y = floor - BARS * f64::from(decade) / decades;
        let _ = writeln!(
            svg,
            "<path d=\"M{LEFT} {y:.1}H{:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#555\">{}</text>",
            WIDTH - RIGHT,
            LEFT - 6.0,
            y + 4.0,
            10u64.pow(decade)
        );
    }
    for length in panel.lengths {
        let count = length.wins + length.losses;
        // One position is a tenth of a decade high, so that it can be seen.
        let bar = BARS * ((count.max(1) as f64).log10().max(0.1)) / decades;
        let x = LEFT + column * f64::from(length.plies);
        let _ = writeln!(
            svg,
            "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{bar:.1}\" fill=\"#4477aa\">\
             <title>{} plies: {count}</title></rect>",
            floor - bar,
            (column * 0.8).max(0.5),
            length.plies
        );
    }
    let step = [1, 2, 5, 10, 20, 50, 100].into_iter().find(|step| columns / step <= 16).unwrap_or(200);
    for plies in (0..columns).step_by(step as usize) {
        let x = LEFT + column * (f64::from(plies) + 0.4);
        let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{plies}</text>", floor + 16.0);
    }
    if let Some(limit) = panel.limit_plies {
        let x = LEFT + column * (f64::from(limit) + 0.9);
        let _ = writeln!(svg, "<path d=\"M{x:.1} {TOP}V{floor:.1}\" stroke=\"#cc3311\" stroke-width=\"2\"/>");
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panel_shows_every_length_and_the_limit() {
        let lengths = [Distance { plies: 1, wins: 900, losses: 0 }, Distance { plies: 4, wins: 0, losses: 1 }];
        let panel = Panel { title: "KKvK & more".to_string(), lengths: &lengths, limit_plies: Some(10) };
        let svg = plot(&[panel.clone(), panel]);
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
        assert_eq!(svg.matches("<title>1 plies: 900</title>").count(), 2);
        assert_eq!(svg.matches("<title>4 plies: 1</title>").count(), 2);
        assert_eq!(svg.matches("#cc3311").count(), 2);
        assert!(svg.contains("KKvK &amp; more"));
        assert_eq!(svg.matches("<g ").count(), svg.matches("</g>").count());
    }
}
