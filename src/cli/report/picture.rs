//! Reports as a picture: speed and memory against the size of the pairs, both by powers of ten.

use endame::chart::{Cloud, Point, Scale, Series};

use super::build::{Build, Pair};

/// Two clouds, with a series for each variant and metric.
pub fn clouds_of(builds: &[Build]) -> Vec<Cloud> {
    let cloud = |title: &str, scale, count: &dyn Fn(&Pair) -> Option<u64>| Cloud {
        title: title.to_string(),
        across: "positions of a slice and its twin".to_string(),
        series: series(builds, count),
        scale,
    };
    vec![
        cloud("positions per second of solving", Scale::Logarithmic, &|pair| {
            pair.positions_per_second().map(|rate| rate as u64)
        }),
        cloud("most memory until then, MiB", Scale::Logarithmic, &|pair| {
            pair.peak_memory_bytes.map(|bytes| bytes >> 20)
        }),
    ]
}

/// The pairs of which there is a count, in series that may come from several builds.
fn series(builds: &[Build], count: &dyn Fn(&Pair) -> Option<u64>) -> Vec<Series> {
    let mut all: Vec<Series> = Vec::new();
    for build in builds {
        for pair in &build.pairs {
            let Some(count) = count(pair) else { continue };
            let threads = if build.threads == 1 { String::new() } else { format!(", {} threads", build.threads) };
            let name = format!("{} {}{threads}", build.variant, pair.metric);
            let point = Point { name: pair.materials.join(" "), at: pair.positions, count };
            match all.iter_mut().find(|series| series.name == name) {
                Some(series) => series.points.push(point),
                None => all.push(Series { name, points: vec![point] }),
            }
        }
    }
    all
}
