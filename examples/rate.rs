//! Temporary.
use endame::build::solver::{lanes::Lanes, layout::*, library::*, sets::*, *};
use endame::rules::*;
use std::sync::Arc;
fn s(kings: u32, men: u32) -> Side { Side { kings, men } }
fn run<R: Rules, L: Lanes>(n: u32, show: bool) {
    let mut pairs: Vec<Pair> = vec![];
    for t in 2..=n { for men in 0..=t { for a in 1..t { for ma in 0..=a.min(men) { let b = t - a; let mb = men - ma; if mb > b { continue; }
        let p = Pair::of(s(a - ma, ma), s(b - mb, mb)).0; if !pairs.contains(&p) { pairs.push(p); } } } } }
    let sets = Sets::<R>::new(n as usize - 1);
    let mut lib = Library::<L>::default();
    let mut total = 0u64; let t0 = std::time::Instant::now();
    for p in pairs {
        let t = std::time::Instant::now();
        let f = solve::<R, L>(p, &sets, &lib, &|_| (), &|| false).unwrap();
        let k = if p.runner() == Runner::King { p.sides[1].kings } else { p.sides[1].men } as u64;
        let v = f.view(1).unwrap(); let wps = f.layout.words_per_side();
        let mut c = [[0u64; 3]; 2]; let mut longest = [[0u16; 2]; 2];
        for (i, w) in v.words.iter().enumerate() { let side = i / wps % 2; c[side][0] += w.won.len() as u64; c[side][1] += w.lost.len() as u64;
            for sq in w.won { longest[side][0] = longest[side][0].max(v.lanes[i].get(sq)); } for sq in w.lost { longest[side][1] = longest[side][1].max(v.lanes[i].get(sq)); } }
        let fixed = (0..f.layout.placements.len()).map(|i| { let m = f.layout.placements[i]; let occ = m[0] | m[1];
            let nk = <R::Geometry as endame::board::Geometry>::BOARD.minus(occ).len(); 
            if p.runner() == Runner::King { binomial(nk, p.sides[0].kings as usize) as u64 * binomial(nk - p.sides[0].kings, p.sides[1].kings as usize) as u64 * k } else { Sets::<R>::men_squares(1).minus(occ).len() as u64 } }).sum::<u64>() / k;
        total += fixed * 2;
        if show { let n = |s: Side| "K".repeat(s.kings as usize) + &"M".repeat(s.men as usize);
        println!("{}v{} {} | {} {} {} ({},{}) | {} {} {} ({},{}) {:.3}s", n(p.sides[0]), n(p.sides[1]), fixed, c[0][0] / k, fixed - (c[0][0] + c[0][1]) / k, c[0][1] / k, longest[0][0], longest[0][1], c[1][0] / k, fixed - (c[1][0] + c[1][1]) / k, c[1][1] / k, longest[1][0], longest[1][1], t.elapsed().as_secs_f64()); }
        lib.add(Arc::new(f));
    }
    println!("total {total} {:.2}s {:.1} M/s", t0.elapsed().as_secs_f64(), total as f64 / t0.elapsed().as_secs_f64() / 1e6);
}
fn main() {
    let a: Vec<String> = std::env::args().collect(); let n: u32 = a[3].parse().unwrap(); let show = a.len() > 4;
    match (a[1].as_str(), a[2].as_str()) {
        ("eng", "wdl") => run::<English, ()>(n, show), ("eng", _) => run::<English, [u8; 64]>(n, show),
        ("int", "wdl") => run::<International, ()>(n, show), ("int", _) => run::<International, [u8; 64]>(n, show),
        ("rus", "wdl") => run::<Russian, ()>(n, show), ("rus", _) => run::<Russian, [u8; 64]>(n, show),
        ("tur", "wdl") => run::<Turkish, ()>(n, show), _ => run::<Turkish, [u8; 64]>(n, show),
    }
}
