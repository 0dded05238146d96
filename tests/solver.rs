//! The solver against the naive one, position by position, through the files it writes.

mod naive_solver;

use endame::build::{BuildOptions, Silent, build};
use endame::index::{Indexer, Material};
use endame::rules::{English, International, Rules, Russian, Turkish};
use endame::tablebase::Tablebase;
use endame::value::{Dtw, Metric, Wdl};
use naive_solver::NaiveSolver;

/// Every value of every slice up to three pieces, in both metrics, those of positions with a capture due included; and
/// the statistics in the headers.
fn the_solver_agrees_with_the_naive_one<R: Rules>() {
    let naive = NaiveSolver::<R>::solve(3);
    for &metric in Metric::ON_BOARD {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let options = BuildOptions { threads: 2, ..BuildOptions::default() };
        build::<R>(folder.path(), &Material::all_up_to(3), metric, &options, &Silent).expect("a small build");
        let tables = Tablebase::<R>::open(folder.path()).expect("a folder");
        for material in Material::all_up_to(3) {
            let indexer = Indexer::<R>::new(material);
            let mut counts = [0; 3];
            let mut longest = [None; 3];
            for position in (0..indexer.placements()).map(|rank| indexer.unrank(rank)) {
                let dtw = naive.dtw(&position);
                let wdl = dtw.map_or(Wdl::Draw, Dtw::wdl);
                let value = tables.probe(&position).expect("every table is there");
                assert_eq!(value.wdl, wdl, "{} {material} {metric} {position:?}", R::NAME);
                if metric == Metric::Dtw {
                    assert_eq!(value.dtw, dtw, "{} {material} {position:?}", R::NAME);
                }
                if metric == Metric::Dtc {
                    let dtc = tables.dtc(&position).expect("every table is there").map(|dtc| dtc.plies);
                    assert_eq!(
                        dtc,
                        naive.distances(&position).map(|(_, dtc)| dtc),
                        "{} {material} {position:?}",
                        R::NAME
                    );
                }
                counts[wdl as usize] += 1;
                longest[wdl as usize] = longest[wdl as usize].max(dtw.map(|Dtw(plies)| plies));
            }
            let table = tables.table(material, metric).expect("a sound table").expect("the table is there");
            let said = &table.table().header().statistics;
            assert_eq!([said.losses, said.draws, said.wins], counts, "{} {material} {metric}", R::NAME);
            if metric == Metric::Dtw {
                let plies = [&said.longest_loss, &said.longest_win].map(|longest| longest.map(|longest| longest.plies));
                // A longest loss in 0 is one.
                assert_eq!(plies, [longest[Wdl::Loss as usize], longest[Wdl::Win as usize]], "{} {material}", R::NAME);
            }
        }
    }
}

#[test]
fn the_solver_agrees_with_the_naive_one_in_international() {
    the_solver_agrees_with_the_naive_one::<International>();
}

#[test]
fn the_solver_agrees_with_the_naive_one_in_english() {
    the_solver_agrees_with_the_naive_one::<English>();
}

#[test]
fn the_solver_agrees_with_the_naive_one_in_russian() {
    the_solver_agrees_with_the_naive_one::<Russian>();
}

#[test]
fn the_solver_agrees_with_the_naive_one_in_turkish() {
    the_solver_agrees_with_the_naive_one::<Turkish>();
}

#[cfg(feature = "related")]
#[test]
fn the_solver_agrees_with_the_naive_one_in_related_variants() {
    use endame::rules::{Brazilian, Czech, Pool, Spanish, Thai};
    the_solver_agrees_with_the_naive_one::<Brazilian>();
    the_solver_agrees_with_the_naive_one::<Pool>();
    the_solver_agrees_with_the_naive_one::<Czech>();
    the_solver_agrees_with_the_naive_one::<Spanish>();
    the_solver_agrees_with_the_naive_one::<Thai>();
}
