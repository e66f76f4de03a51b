//! Tests of [`super`].

use super::*;
use proptest::prelude::*;

#[test]
fn the_scales_by_hand() {
    let log: Parameter = "exploration=0.05..2:log".parse().unwrap();
    // The middle of a logarithmic range is the geometric mean.
    assert!((log.value(0.0) - 0.1_f64.sqrt()).abs() < 1e-12);
    assert_eq!((log.value(-1.0), log.value(1.0)), (0.05, 2.0));
    let linear: Parameter = " first_play = -1..3 ".parse().unwrap();
    assert_eq!((linear.value(0.0), linear.value(0.5)), (1.0, 2.0));
    let whole: Parameter = "expansion=1..4:integer".parse().unwrap();
    let values = [-1.0, -0.7, -0.6, 0.0, 0.6, 0.7].map(|unit| whole.value(unit));
    assert_eq!(values, [1.0, 1.0, 2.0, 3.0, 3.0, 4.0]);
}

#[test]
fn a_table_of_ranges() {
    let text = "zeta = '0..1'\nalpha = { low = 0.1, high = 10, scale = 'log' }\nbeta = { low = 1, high = 3 }";
    let read = |text: &str| Space::read(&Value::Table(text.parse().unwrap()));
    let space = read(text).unwrap();
    let names: Vec<&str> = space.parameters().iter().map(Parameter::name).collect();
    assert_eq!(names, ["alpha", "beta", "zeta"]);
    assert_eq!(space.values(&[-1.0, 1.0, 0.0]), [0.1, 3.0, 0.5]);
    let written = toml::to_string(&space).unwrap();
    assert_eq!(read(&written).unwrap(), space);
    let fault = |text: &str| read(text).unwrap_err().said.unwrap();
    assert!(fault("a = '2..1'").contains("`a`: the range 2..1 is empty"));
    assert!(fault("a = 3").contains("expected a range"));
    assert!(fault("").contains("no parameter"));
}

#[test]
fn a_refused_value_is_named() {
    let space = Space::new(vec!["a=0..1".parse().unwrap(), "b=0..9".parse().unwrap()]).unwrap();
    let accept = |values: &[f64]| {
        if values[1] > 8.0 { Err("`b` must be at most 8".to_owned()) } else { Ok(()) }
    };
    let fault = space.check(accept).unwrap_err().to_string();
    assert_eq!(fault, "parameter `b` at 9: `b` must be at most 8");
    assert_eq!(space.check(|_| Ok(())), Ok(()));
}

fn any_parameter() -> impl Strategy<Value = Parameter> {
    let linear = (-1e3..1e3, 1e-3..1e3)
        .prop_map(|(low, width)| Parameter::new("p", low, low + width, Scale::Linear));
    let log = (1e-3..1e3, 1.01..1e4)
        .prop_map(|(low, ratio)| Parameter::new("p", low, low * ratio, Scale::Log));
    let whole = (-100..100, 1..1000).prop_map(|(low, width)| {
        Parameter::new("p", f64::from(low), f64::from(low + width), Scale::Integer)
    });
    prop_oneof![linear, log, whole].prop_map(Result::unwrap)
}

proptest! {
    #[test]
    fn values_lie_in_the_range_and_rise(parameter in any_parameter(), a in -1.5..1.5, b in -1.5..1.5) {
        let (low, high) = parameter.range();
        let (first, second) = (parameter.value(f64::min(a, b)), parameter.value(f64::max(a, b)));
        prop_assert!(low <= first && first <= second && second <= high);
        prop_assert_eq!(parameter.value(-1.0), low);
        prop_assert_eq!(parameter.value(1.0), high);
    }

    #[test]
    fn coordinates_lead_back(parameter in any_parameter(), unit in -1.0..1.0) {
        let value = parameter.value(unit);
        let again = parameter.value(parameter.unit(value));
        prop_assert!((again - value).abs() <= 1e-9 * value.abs().max(1.0));
        if parameter.scale() != Scale::Integer {
            prop_assert!((parameter.unit(value) - unit).abs() < 1e-6);
        }
    }

    #[test]
    fn the_text_reads_as_the_parameter(parameter in any_parameter()) {
        prop_assert_eq!(parameter.to_string().parse::<Parameter>(), Ok(parameter));
    }
}
