//! Points of several series, each in a colour of its own: what depends how on a size that grows by powers of ten.

use std::fmt::Write;

use super::{RIGHT, Scale, TOP, WIDTH, escaped, page};

/// One picture of points.
#[derive(Clone, PartialEq, Debug)]
pub struct Cloud {
    /// The line above it.
    pub title: String,
    /// What the axis below counts; ten times as much is a step further right.
    pub across: String,
    /// The series, in the order of the legend.
    pub series: Vec<Series>,
    /// How heights grow with counts.
    pub scale: Scale,
}

/// Points that belong together.
#[derive(Clone, PartialEq, Debug)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// The points, in any order.
    pub points: Vec<Point>,
}

/// One point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Point {
    /// What is shown where the reader points at it.
    pub name: String,
    /// Its place on the axis; 0 is drawn as 1.
    pub at: u64,
    /// What its height stands for.
    pub count: u64,
}

const CLOUD: f64 = 360.0;
const LEFT: f64 = 92.0;
const POINTS: f64 = 240.0;
/// Series named in a row below the axis.
const LEGEND: usize = 4;

/// Told apart by readers who see fewer colours, on white and on black; series after them begin anew.
const COLOURS: [&str; 6] = ["#4477aa", "#ee6677", "#228833", "#ccbb44", "#aa3377", "#66ccee"];

/// Draws `clouds` one below the other.
///
/// # Examples
/// ```
/// use endame::chart::{Cloud, Point, Scale, Series, clouds};
/// let points = vec![Point { name: "a slice".to_string(), at: 1000, count: 7 }];
/// let series = vec![Series { name: "english".to_string(), points }];
/// let across = "positions".to_string();
/// let svg = clouds(&[Cloud { title: "seconds".to_string(), across, series, scale: Scale::Linear }]);
/// assert!(svg.contains("<title>a slice: 7</title>"));
/// ```
#[must_use]
pub fn clouds(clouds: &[Cloud]) -> String {
    page(clouds, CLOUD, Cloud::draw)
}

impl Cloud {
    fn draw(&self, svg: &mut String) {
        let points = || self.series.iter().flat_map(|series| &series.points);
        let floor = TOP + POINTS;
        let _ = writeln!(svg, "<text x=\"{LEFT}\" y=\"18\" font-weight=\"bold\">{}</text>", escaped(&self.title));
        let heights = || points().map(|point| point.count);
        let (decades, most) = (Decades::of(heights()), heights().max().unwrap_or(0));
        let marks = match self.scale {
            Scale::Linear => self.scale.marks(most).into_iter().map(u128::from).collect(),
            Scale::Logarithmic => decades.marks(),
        };
        let top = marks.last().map_or(1.0, |&mark| mark as f64);
        let y_of = |count: f64| match self.scale {
            Scale::Linear => floor - POINTS * count / top,
            Scale::Logarithmic => floor - POINTS * decades.part(count),
        };
        for &mark in &marks {
            let (x, y, right) = (LEFT - 6.0, y_of(mark as f64), WIDTH - RIGHT);
            let _ = writeln!(svg, "<path d=\"M{LEFT} {y:.1}H{right:.1}\" class=\"grid\"/>");
            let _ = writeln!(svg, "<text x=\"{x}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>", y + 4.0, short(mark));
        }
        let sizes = Decades::of(points().map(|point| point.at));
        let x_of = |at: f64| LEFT + (WIDTH - LEFT - RIGHT) * sizes.part(at);
        for mark in sizes.marks() {
            let (x, y) = (x_of(mark as f64), floor + 16.0);
            let _ = writeln!(svg, "<path d=\"M{x:.1} {TOP}V{floor}\" class=\"grid\"/>");
            let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"middle\">{}</text>", short(mark));
        }
        let (middle, below) = ((LEFT + WIDTH - RIGHT) / 2.0, floor + 34.0);
        let across = escaped(&self.across);
        let _ = writeln!(svg, "<text x=\"{middle}\" y=\"{below}\" text-anchor=\"middle\">{across}</text>");
        for (i, series) in self.series.iter().enumerate() {
            let colour = COLOURS[i % COLOURS.len()];
            let column = (WIDTH - LEFT - RIGHT) / LEGEND as f64;
            let (x, y) = (LEFT + 4.0 + column * (i % LEGEND) as f64, floor + 54.0 + 16.0 * (i / LEGEND) as f64);
            let _ = writeln!(svg, "<circle cx=\"{x}\" cy=\"{}\" r=\"4\" fill=\"{colour}\"/>", y - 4.0);
            let _ = writeln!(svg, "<text x=\"{}\" y=\"{y}\">{}</text>", x + 10.0, escaped(&series.name));
            for Point { name, at, count } in &series.points {
                let (x, y, name) = (x_of(*at as f64), y_of(*count as f64), escaped(name));
                let _ = writeln!(
                    svg,
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"><title>{name}: {count}</title></circle>"
                );
            }
        }
    }
}

/// An axis from a power of ten to another.
struct Decades {
    first: u32,
    last: u32,
}

impl Decades {
    /// The shortest that holds all `values`, 0 taken as 1.
    fn of(values: impl Iterator<Item = u64> + Clone) -> Decades {
        let powers = values.map(|value| value.max(1).ilog10());
        let first = powers.clone().min().unwrap_or(0);
        Decades { first, last: powers.max().unwrap_or(0) + 1 }
    }

    fn marks(&self) -> Vec<u128> {
        (self.first..=self.last).map(|power| 10u128.pow(power)).collect()
    }

    /// How far along the axis `value` lies, from 0 to 1.
    fn part(&self, value: f64) -> f64 {
        (value.max(1.0).log10() - f64::from(self.first)) / f64::from(self.last - self.first)
    }
}

/// A number with a letter for thousands, millions and so on, where nothing is lost by it.
fn short(mut number: u128) -> String {
    let mut letters = ["k", "M", "G", "T", "P", "E"].into_iter();
    let mut letter = "";
    while number >= 1000 && number.is_multiple_of(1000) {
        let Some(next) = letters.next() else { break };
        (number, letter) = (number / 1000, next);
    }
    format!("{number}{letter}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cloud(points: &[(u64, u64)], scale: Scale) -> Cloud {
        let points = points.iter().map(|&(at, count)| Point { name: format!("<{at}>"), at, count }).collect();
        let series =
            vec![Series { name: "a & b".to_string(), points }, Series { name: "none".to_string(), points: Vec::new() }];
        Cloud { title: "how < many".to_string(), across: "of what".to_string(), series, scale }
    }

    #[test]
    fn every_point_lies_within_the_picture() {
        let points = [(0, 0), (1, 1), (10, u64::MAX), (u64::MAX, 5)];
        for scale in [Scale::Linear, Scale::Logarithmic] {
            let svg = clouds(&[cloud(&points, scale), cloud(&[], scale)]);
            assert!(svg.contains("how &lt; many") && svg.contains("a &amp; b") && svg.contains("&lt;10&gt;: "));
            // Two legends of two series, and the points.
            assert_eq!(svg.matches("<circle").count(), 4 + points.len());
            let numbers = |name: &str| -> Vec<f64> {
                let after = svg.split(name).skip(1);
                after.map(|rest| rest.split('"').next().expect("an end").parse().expect("a number")).collect()
            };
            assert!(numbers("cx=\"").into_iter().all(|x| (LEFT..=WIDTH - RIGHT).contains(&x)), "{svg}");
            assert!(numbers("cy=\"").into_iter().all(|y| (TOP..=CLOUD).contains(&y)), "{svg}");
        }
    }

    #[test]
    fn long_numbers_are_shown_short() {
        let shown = [0, 7, 1000, 1500, 250_000_000, 10u128.pow(20)].map(short);
        assert_eq!(shown, ["0", "7", "1k", "1500", "250M", "100E"]);
    }
}
