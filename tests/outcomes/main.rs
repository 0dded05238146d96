//! Outcomes under draw rules.

#[path = "../naive_solver/mod.rs"]
mod naive_solver;

mod damage;
mod naive_counts;
mod published;
mod several;
mod short_rules;
mod twin;
