//! `maxout randomizer stats`: a deal counted, beside what the rule says.

use randomizers::{Chain, Dealer, Droughts, Floods, Kind, Randomizer, Sega, Summary, Tempo};
use serde::Serialize;
use tetris::Piece;

use super::count::count;
use super::deck::Deck;
use super::picker::Picker;
use super::table::{Table, interval, percent, rare};
use cli::error::Error;
use cli::interrupt::Interrupt;
use cli::output;

/// Count a deal: frequencies, repeats, entropy, droughts, floods.
///
/// Prints each value with its 95 % confidence interval and the theoretical value for a perfect
/// generator. Intervals of frequencies, repeats and entropies come from 40 batches, because pieces
/// depend on earlier ones.
#[derive(clap::Args)]
#[command(after_help = "\
A drought is the other pieces between two of a kind; a flood is equal pieces in a row.
Entropy is bits a piece, to one who knows so many pieces before it; 2.807 is the most.

Examples:
  maxout randomizer stats nes -n 10000000
  maxout randomizer stats nes -n 10000000 --independent     as the article computes it
  maxout randomizer stats tgm3 --seed 7 --json")]
pub(crate) struct Arguments {
    #[command(flatten)]
    deck: Deck,
    /// Pieces to count, at least 1,000 [default: 1,000,000; of sega 1,000, which is all there are].
    #[arg(short = 'n', long = "pieces", value_name = "N")]
    pieces: Option<u64>,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report<'a> {
    kind: Kind,
    seed: Option<&'a str>,
    measured: &'a Summary,
    theory: Option<&'a Theory>,
    #[serde(skip_serializing_if = "Option::is_none")]
    picker: Option<&'a Picker>,
}

/// What follows from the rule, in the shape of what is measured.
#[derive(Serialize)]
pub(crate) struct Theory {
    pub(crate) frequency: [f64; 7],
    pub(crate) repeats: f64,
    /// Given the 0, 1, 2, 3 pieces before.
    pub(crate) entropy: [f64; 4],
    /// Given all pieces before.
    pub(crate) entropy_rate: f64,
    /// By piece, at least as long as each of the lengths.
    pub(crate) droughts: [[f64; 4]; 7],
    /// At least as long as each of the lengths.
    pub(crate) floods: [f64; 3],
}

impl Theory {
    pub(crate) fn new(chain: &Chain) -> Self {
        let floods = chain.floods(Floods::LENGTHS[2]);
        Self {
            frequency: chain.frequency(),
            repeats: chain.repeat(),
            entropy: std::array::from_fn(|known| chain.conditional_entropy(known as u32)),
            entropy_rate: chain.entropy_rate(),
            droughts: Piece::ALL.map(|piece| {
                let droughts = chain.droughts(piece, Droughts::LENGTHS[3]);
                Droughts::LENGTHS.map(|length| droughts[length])
            }),
            floods: Floods::LENGTHS.map(|length| floods[length - 1]),
        }
    }
}

/// The chain of what is dealt: with independent rolls the picker has another.
pub(crate) fn chain(dealer: &Dealer) -> Option<Chain> {
    match dealer {
        Dealer::Nes(nes) if matches!(nes.tempo, Tempo::Independent(_)) => Some(Kind::independent_rolls()),
        dealer => dealer.kind().chain(),
    }
}

/// Pieces to count where nobody says.
pub(crate) fn usual_pieces(kind: Kind) -> u64 {
    if kind == Kind::Sega { u64::from(Sega::LENGTH) } else { 1_000_000 }
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Error> {
    let mut dealer = arguments.deck.dealer()?;
    let kind = dealer.kind();
    let title = arguments.deck.title(&dealer);
    let theory = chain(&dealer).as_ref().map(Theory::new);
    let pieces = arguments.pieces.unwrap_or_else(|| usual_pieces(kind));
    let measured = count(&mut dealer, pieces, &Interrupt::listen())?;
    let picker = (kind == Kind::Nes).then(Picker::new);
    let report = Report {
        kind,
        seed: arguments.deck.seed(),
        measured: &measured,
        theory: theory.as_ref(),
        picker: picker.as_ref(),
    };
    output::print(&report, arguments.json, |out| {
        writeln!(out, "{title}: {pieces} pieces, the first {}", measured.first)?;
        report.parts(pieces).iter().try_for_each(|part| write!(out, "\n{part}"))
    })
}

impl Report<'_> {
    /// Tables and notes, in the order in which they are printed.
    fn parts(&self, pieces: u64) -> Vec<String> {
        let &Self { kind, measured, theory, picker, .. } = self;
        let mut parts = vec![shares(measured, theory), droughts(measured, theory), floods(measured, theory)];
        if let Some(longest) = kind.longest_drought() {
            parts.push(format!("The rule allows no drought longer than {longest}.\n"));
        }
        if kind == Kind::Sega && pieces > u64::from(Sega::LENGTH) {
            parts.push("The sequence repeats after 1000 pieces: intervals of more say nothing.\n".to_owned());
        }
        parts.extend(picker.map(|picker| picker.text(measured)));
        parts
    }
}

/// A theoretical value, or a dash where the rule is too intricate for one.
fn by_rule(value: Option<f64>, number: impl Fn(f64) -> String) -> String {
    value.map_or_else(|| "-".to_owned(), number)
}

fn shares(measured: &Summary, theory: Option<&Theory>) -> String {
    let mut table = Table::default();
    table.row(["", "measured", "95 %", "by the rule"]);
    for (number, piece) in Piece::ALL.into_iter().enumerate() {
        let estimate = measured.frequency[number];
        let wanted = theory.map(|theory| theory.frequency[number]);
        table.row([
            format!("{piece}, %"),
            percent(estimate.value),
            interval(estimate, percent),
            by_rule(wanted, percent),
        ]);
    }
    let repeats = measured.repeats;
    let wanted = theory.map(|theory| theory.repeats);
    table.row([
        "repeats, %".to_owned(),
        percent(repeats.value),
        interval(repeats, percent),
        by_rule(wanted, percent),
    ]);
    let bits = |bits: f64| format!("{bits:.4}");
    for (known, &estimate) in measured.entropy.iter().enumerate() {
        let wanted = theory.map(|theory| theory.entropy[known]);
        table.row([
            format!("entropy, {known} known, bits"),
            bits(estimate.value),
            interval(estimate, bits),
            by_rule(wanted, bits),
        ]);
    }
    let rate = theory.map(|theory| theory.entropy_rate);
    table.row(["entropy, all known, bits".to_owned(), String::new(), String::new(), by_rule(rate, bits)]);
    table.text()
}

fn droughts(measured: &Summary, theory: Option<&Theory>) -> String {
    let mut table = Table::grouped(3);
    let mut head = vec!["droughts".to_owned(), "mean".to_owned(), "longest".to_owned()];
    for length in Droughts::LENGTHS {
        head.extend([format!("{length}+, %"), "95 %".to_owned(), "rule".to_owned()]);
    }
    table.row(head);
    for (number, piece) in Piece::ALL.into_iter().enumerate() {
        let droughts = &measured.droughts[number];
        let mut row = vec![piece.to_string(), format!("{:.3}", droughts.mean), droughts.longest.to_string()];
        for (place, &estimate) in droughts.at_least.iter().enumerate() {
            let wanted = theory.map(|theory| theory.droughts[number][place]);
            row.extend([rare(estimate.value), interval(estimate, rare), by_rule(wanted, rare)]);
        }
        table.row(row);
    }
    table.text()
}

fn floods(measured: &Summary, theory: Option<&Theory>) -> String {
    let floods = &measured.floods;
    let mut table = Table::default();
    table.row([format!("floods: mean {:.4}, longest {}", floods.mean, floods.longest)]);
    for (place, (length, &estimate)) in Floods::LENGTHS.iter().zip(&floods.at_least).enumerate() {
        let wanted = theory.map(|theory| theory.floods[place]);
        table.row([
            format!("{length} or more, % of runs"),
            rare(estimate.value),
            interval(estimate, rare),
            by_rule(wanted, rare),
        ]);
    }
    table.text()
}
