//! Temporary.
use endame::build::*;
use endame::index::*;
use endame::rules::*;
use endame::value::Metric;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let v: Variant = a[1].parse().unwrap();
    let m: Metric = a[2].parse().unwrap();
    let mats: Vec<Material> = match a[3].parse::<u32>() {
        Ok(n) => Material::all_up_to(n),
        _ => a[3].split(',').map(|x| x.parse().unwrap()).collect(),
    };
    endame::with_rules!(v, R => { println!("{:?}", verify::<R>(std::path::Path::new(&a[4]), &mats, m, &BuildOptions { memory: None, threads: 0 }, &Silent)) });
}
