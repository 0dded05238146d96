//! Histograms as pictures: panels of bars, one below the other, in one SVG file. Clouds of points are in `cloud.rs`.
//!
//! The colours follow the reader's choice of a light or a dark page. This folder knows nothing about draughts.

mod cloud;

use std::fmt::Write;

pub use cloud::{Cloud, Point, Series, clouds};

/// One histogram.
#[derive(Clone, PartialEq, Debug)]
pub struct Panel {
    /// The line above it.
    pub title: String,
    /// The bars, from left to right.
    pub bars: Vec<Bar>,
    /// What a place on the axis is worth: bar 3 of a panel with unit 10 stands for 30.
    pub unit: i64,
    /// How heights grow with counts.
    pub scale: Scale,
    /// A line right behind this place, with what it means.
    pub limit: Option<(i64, String)>,
}

/// One bar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bar {
    /// Its place on the axis.
    pub at: i64,
    /// What its height stands for.
    pub count: u64,
}

/// How heights grow with counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scale {
    /// Twice the count, twice the height.
    Linear,
    /// Ten times the count, a step more: so that a few can be seen beside many.
    Logarithmic,
}

const WIDTH: f64 = 720.0;
const PANEL: f64 = 190.0;
const LEFT: f64 = 76.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 34.0;
const BARS: f64 = 120.0;

const STYLE: &str = "<style>\n\
    svg{--ground:#fff;--ink:#222;--grid:#ddd;--bar:#4477aa;--limit:#cc3311}\n\
    @media(prefers-color-scheme:dark){svg{--ground:#16181c;--ink:#ddd;--grid:#3a3d44;--bar:#77aadd;--limit:#ff7755}}\n\
    .ground{fill:var(--ground)} text{fill:var(--ink)} .grid{stroke:var(--grid)} .bar{fill:var(--bar)}\n\
    .limit{stroke:var(--limit);stroke-width:2} .says{fill:var(--limit)}\n\
    </style>\n";

/// Draws `panels` one below the other.
#[must_use]
pub fn chart(panels: &[Panel]) -> String {
    page(panels, PANEL, Panel::draw)
}

/// A file of pictures one below the other, each `height` high; writing to a string cannot fail.
fn page<T>(pictures: &[T], height: f64, draw: impl Fn(&T, &mut String)) -> String {
    let all = height * pictures.len() as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{all}\" \
         viewBox=\"0 0 {WIDTH} {all}\" font-family=\"sans-serif\" font-size=\"12\">\n{STYLE}\
         <rect width=\"100%\" height=\"100%\" class=\"ground\"/>\n"
    );
    for (i, picture) in pictures.iter().enumerate() {
        let _ = writeln!(svg, "<g transform=\"translate(0 {})\">", height * i as f64);
        draw(picture, &mut svg);
        svg.push_str("</g>\n");
    }
    svg.push_str("</svg>\n");
    svg
}

impl Panel {
    /// Draws the panel; writing to a string cannot fail.
    fn draw(&self, svg: &mut String) {
        let places = self.bars.iter().map(|bar| bar.at);
        let limit = self.limit.iter().map(|(at, _)| *at);
        let first = places.clone().min().unwrap_or(0).min(0);
        let last = places.chain(limit).max().unwrap_or(0);
        let column = (WIDTH - LEFT - RIGHT) / (last - first + 1) as f64;
        let x_of = |at: i64| LEFT + column * (at - first) as f64;
        let floor = TOP + BARS;
        let _ = writeln!(svg, "<text x=\"{LEFT}\" y=\"18\" font-weight=\"bold\">{}</text>", escaped(&self.title));
        let most = self.bars.iter().map(|bar| bar.count).max().unwrap_or(0);
        let marks = self.scale.marks(most);
        let top = marks.last().copied().unwrap_or(1);
        for &mark in &marks {
            let y = floor - BARS * self.scale.height(mark, top);
            let _ = writeln!(
                svg,
                "<path d=\"M{LEFT} {y:.1}H{:.1}\" class=\"grid\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{mark}</text>",
                WIDTH - RIGHT,
                LEFT - 6.0,
                y + 4.0
            );
        }
        for bar in self.bars.iter().filter(|bar| bar.count > 0) {
            // What is there can be seen, however little it is.
            let height = (BARS * self.scale.height(bar.count, top)).max(1.5);
            let _ = writeln!(
                svg,
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{height:.1}\" class=\"bar\">\
                 <title>{}: {}</title></rect>",
                x_of(bar.at),
                floor - height,
                (column * 0.8).max(0.5),
                bar.at * self.unit,
                bar.count
            );
        }
        let step = [1, 2, 5, 10, 20, 50, 100].into_iter().find(|step| (last - first) / step < 16).unwrap_or(200);
        for at in (first..=last).filter(|at| at.rem_euclid(step) == 0) {
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                x_of(at) + column * 0.4,
                floor + 16.0,
                at * self.unit
            );
        }
        if let Some((limit, says)) = &self.limit {
            let x = x_of(*limit) + column * 0.9;
            let _ = writeln!(
                svg,
                "<path d=\"M{x:.1} {TOP}V{floor:.1}\" class=\"limit\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" class=\"says\">{}</text>",
                x - 4.0,
                TOP + 10.0,
                escaped(says)
            );
        }
    }
}

impl Scale {
    /// The height of `count`, as a part of the height of `top`.
    fn height(self, count: u64, top: u64) -> f64 {
        match self {
            Scale::Linear => count as f64 / top as f64,
            // One is a tenth of a decade high, so that it is not nothing.
            Scale::Logarithmic => (count.max(1) as f64).log10().max(0.1) / (top as f64).log10().max(1.0),
        }
    }

    /// The counts at which a line is drawn, the last one at least as high as `most`.
    fn marks(self, most: u64) -> Vec<u64> {
        let most = most.max(1);
        match self {
            Scale::Logarithmic => {
                let mut marks = vec![1];
                while marks.last().is_some_and(|&mark| mark < most || mark == 1) {
                    marks.push(marks[marks.len() - 1].saturating_mul(10));
                }
                marks
            }
            Scale::Linear => {
                let decade = 10u64.pow(most.ilog10());
                let mut tops = [1, 2, 5, 10].into_iter().map(|n: u64| n.saturating_mul(decade));
                let top = tops.find(|&top| top >= most).unwrap_or(most);
                vec![0, top / 2, top]
            }
        }
    }
}

/// The text with the signs replaced that mean something in SVG and HTML.
#[must_use]
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panel(scale: Scale) -> Panel {
        let bars = vec![Bar { at: -2, count: 900 }, Bar { at: 4, count: 1 }, Bar { at: 5, count: 0 }];
        Panel { title: "KKvK & more".to_string(), bars, unit: 10, scale, limit: Some((10, "16 < 25".to_string())) }
    }

    #[test]
    fn a_panel_shows_every_bar_and_the_limit() {
        for scale in [Scale::Linear, Scale::Logarithmic] {
            let svg = chart(&[panel(scale), panel(scale)]);
            assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
            assert_eq!(svg.matches("<title>-20: 900</title>").count(), 2);
            assert_eq!(svg.matches("<title>40: 1</title>").count(), 2);
            assert_eq!(svg.matches("<rect").count(), 1 + 2 * 2, "the ground, and no bar for nothing");
            assert_eq!(svg.matches("class=\"limit\"").count(), 2);
            assert!(svg.contains("KKvK &amp; more") && svg.contains("16 &lt; 25"));
            assert_eq!(svg.matches("<g ").count(), svg.matches("</g>").count());
        }
    }

    #[test]
    fn no_bar_is_higher_than_the_highest_mark() {
        for count in [1, 2, 9, 10, 11, 999, 1000, 1001, u64::MAX] {
            for scale in [Scale::Linear, Scale::Logarithmic] {
                let top = *scale.marks(count).last().expect("a mark");
                assert!(scale.height(count, top) <= 1.0, "{count} of {top}");
            }
        }
        assert!(chart(&[Panel { bars: Vec::new(), ..panel(Scale::Linear) }]).contains("<svg"));
    }
}
