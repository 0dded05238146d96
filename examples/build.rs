//! Temporary.
use endame::build::*; use endame::rules::*; use endame::index::*; use endame::value::Metric;
struct P; impl Progress for P { fn start(&self, _: &str, _: u64) {} fn advance(&self, _: u64) {} fn note(&self, s: &str) { if std::env::var("V").is_ok() { eprintln!("{s}"); } } fn stopped(&self) -> bool { false } }
fn main() { let a: Vec<String> = std::env::args().collect(); let v: Variant = a[1].parse().unwrap(); let m: Metric = a[2].parse().unwrap();
 let mats: Vec<Material> = match a[3].parse::<u32>() { Ok(n) => Material::all_up_to(n), _ => a[3].split(',').map(|x| x.parse().unwrap()).collect() };
 endame::with_rules!(v, R => { println!("plan {} MB", Plan::new::<R>(&mats, m, 2).unwrap().memory_bytes() >> 20); build::<R>(std::path::Path::new(&a[4]), &mats, m, &BuildOptions { memory: None, threads: 0 }, &P).unwrap() }); }
