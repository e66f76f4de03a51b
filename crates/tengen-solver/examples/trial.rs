fn main() {
    let a: Vec<String> = std::env::args().collect();
    tengen_solver::trial(
        &a[1],
        a[2].parse().unwrap(),
        a[3].parse().unwrap(),
        a[4] == "endless",
        a[5].parse().unwrap(),
    );
}
