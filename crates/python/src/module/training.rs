//! Training of nets: who learns, and who plays the games that are learned from.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use rayon::prelude::*;
use value::{Assignment, Format, Net, Nets, Plan, Played, Speed, Task, assemble, fnv};

use super::wrong;
use crate::Pool;

/// The levels with which the speeds begin.
const LEVELS: [u32; 4] = [18, 19, 29, 39];

/// The columns of a board, lines, and a seed.
type TaskNumbers = ([u32; 10], u32, u64);

/// A net in training.
#[pyclass(module = "maxout._maxout")]
pub(super) struct Learner {
    learner: value::Learner,
    /// The assignment of the next round.
    assignment: Vec<u8>,
}

#[pymethods]
#[allow(clippy::too_many_arguments, reason = "what Python names")]
impl Learner {
    #[new]
    #[pyo3(signature = (format = "bt-30hz-18f", *, speed = 39, seed = 1, begin = None, games = None, batch = None,
        passes = None, memory = None, rate = None, halving = None, lambda_ = None, exploration = None, taught = None,
        stumbling = None, guided = None, average = None, ahead = None, looked_at = None, well = None,
        caution = None, garbage = None, by_weights = false))]
    fn new(
        format: &str,
        speed: u32,
        seed: u64,
        begin: Option<&[u8]>,
        games: Option<u32>,
        batch: Option<u32>,
        passes: Option<u32>,
        memory: Option<u32>,
        rate: Option<f32>,
        halving: Option<f32>,
        lambda_: Option<f32>,
        exploration: Option<f32>,
        taught: Option<u32>,
        stumbling: Option<f32>,
        guided: Option<u32>,
        average: Option<f32>,
        ahead: Option<u32>,
        looked_at: Option<u32>,
        well: Option<f32>,
        caution: Option<f32>,
        garbage: Option<f32>,
        by_weights: bool,
    ) -> PyResult<Self> {
        let format: Format = format.parse().map_err(wrong)?;
        let plan = Plan::new(format, speed_of(speed)?, seed);
        let plan = Plan {
            games: number("games", games, plan.games, 1..=1 << 20)?,
            batch: number("batch", batch, plan.batch, 1..=1 << 20)?,
            passes: number("passes", passes, plan.passes, 0..=1_000)?,
            memory: number("memory", memory, plan.memory, 1..=1 << 25)?,
            rate: share("rate", rate, plan.rate)?,
            halving: rounds("halving", halving, plan.halving)?,
            lambda: share("lambda_", lambda_, plan.lambda)?,
            exploration: share("exploration", exploration, plan.exploration)?,
            taught: taught.unwrap_or(plan.taught),
            stumbling: share("stumbling", stumbling, plan.stumbling)?,
            guided: guided.unwrap_or(plan.guided),
            average: rounds("average", average, plan.average)?,
            ahead: number("ahead", ahead, plan.ahead, 0..=1_000)?,
            looked_at: looked_at.unwrap_or(plan.looked_at),
            well: points("well", well, plan.well)?,
            caution: share("caution", caution, plan.caution)?,
            garbage: rows("garbage", garbage, plan.garbage)?,
            by_weights,
            ..plan
        };
        let learner = match begin {
            Some(bytes) => value::Learner::from_net(plan, Net::from_bytes(bytes).map_err(wrong)?.0),
            None => value::Learner::new(plan),
        };
        Ok(Self::of(learner))
    }

    /// The training of a checkpoint.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, checkpoint: &[u8]) -> PyResult<Self> {
        py.detach(|| value::Learner::from_bytes(checkpoint)).map(Self::of).map_err(wrong)
    }

    fn clone(&self, py: Python<'_>) -> PyResult<Self> {
        let learner = &self.learner;
        py.detach(|| value::Learner::from_bytes(&learner.to_bytes())).map(Self::of).map_err(wrong)
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        self.clone(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.clone(py)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        Ok((py.get_type::<Self>().getattr("from_bytes")?, (self.to_bytes(py),)))
    }

    /// The training as a checkpoint.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let learner = &self.learner;
        PyBytes::new(py, &py.detach(|| learner.to_bytes()))
    }

    /// How the games of the next round are played, net included.
    fn assignment<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.assignment)
    }

    /// The games of the next round: columns, lines and seed of each.
    fn tasks(&self) -> Vec<TaskNumbers> {
        self.learner.tasks().into_iter().map(|Task { columns, lines, seed }| (columns, lines, seed)).collect()
    }

    /// Learns from the games of the round, in the order of the tasks.
    fn learn(&mut self, py: Python<'_>, games: Vec<Bound<'_, PyBytes>>) -> PyResult<()> {
        let games: Vec<&[u8]> = games.iter().map(PyBytesMethods::as_bytes).collect();
        let learner = &mut self.learner;
        self.assignment = py.detach(|| {
            let games = games.iter().enumerate().map(|(number, bytes)| {
                Played::from_bytes(bytes).map_err(|error| wrong(format!("game {number}: {error}")))
            });
            learner.learn_played(games.collect::<PyResult<_>>()?).map_err(wrong)?;
            Ok::<_, PyErr>(learner.assignment().to_bytes())
        })?;
        Ok(())
    }

    /// The net as a file, which says the nets of later speeds that were asked.
    #[pyo3(signature = (later = Vec::new()))]
    fn net<'py>(&self, py: Python<'py>, later: Vec<Vec<u8>>) -> PyResult<Bound<'py, PyBytes>> {
        nets(&later)?;
        let hashes: Vec<String> = later.iter().map(|bytes| format!("{:016x}", fnv(bytes))).collect();
        let provenance = self.learner.provenance(&value::Learner::notes(&hashes));
        Ok(PyBytes::new(py, &self.learner.net().to_bytes(&provenance)))
    }

    /// The rounds so far.
    fn history<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let round = |round: &value::Round| {
            let dict = PyDict::new(py);
            dict.set_item("samples", round.samples)?;
            dict.set_item("score", round.score)?;
            dict.set_item("survived", round.survived)?;
            dict.set_item("loss", round.loss)?;
            Ok(dict)
        };
        self.learner.history().iter().map(round).collect()
    }

    /// How many rounds there were.
    #[getter]
    fn rounds(&self) -> usize {
        self.learner.history().len()
    }

    /// What it follows, as JSON.
    fn plan_json(&self) -> PyResult<String> {
        serde_json::to_string(self.learner.plan()).map_err(wrong)
    }
}

impl Learner {
    fn of(learner: value::Learner) -> Self {
        let assignment = learner.assignment().to_bytes();
        Self { learner, assignment }
    }
}

/// What a pickled actor is made of.
type Reduced<'py> = (Bound<'py, PyBytes>, Vec<Bound<'py, PyBytes>>, usize);

/// Plays the games of a round.
#[pyclass(module = "maxout._maxout")]
pub(super) struct Actor {
    /// Apart, since Python's allocator knows nothing of the cache lines that its nets lie in.
    player: Box<value::Actor>,
    assignment: u64,
    round: u64,
    pool: Pool,
    /// The order and the nets that it was made of.
    made: Arc<(Vec<u8>, Vec<Vec<u8>>)>,
}

// What lies in a Python object is aligned to sixteen bytes.
const _: () = assert!(align_of::<Actor>() <= 16 && align_of::<Learner>() <= 16);

#[pymethods]
impl Actor {
    #[new]
    #[pyo3(signature = (assignment, later = Vec::new(), *, threads = 1))]
    fn new(py: Python<'_>, assignment: &[u8], later: Vec<Vec<u8>>, threads: usize) -> PyResult<Self> {
        if !(1..=1_024).contains(&threads) {
            return Err(wrong(format!("threads: expected 1 to 1024, found {threads}")));
        }
        py.detach(|| {
            let order = Assignment::from_bytes(assignment).map_err(wrong)?;
            let player = Box::new(value::Actor::new(&order, &nets(&later)?));
            let pool = Pool::new(threads).map_err(wrong)?;
            let made = Arc::new((assignment.to_vec(), later));
            Ok(Self { player, assignment: fnv(assignment), round: order.round, pool, made })
        })
    }

    /// Plays games, and answers each as bytes.
    fn play<'py>(&mut self, py: Python<'py>, tasks: Vec<TaskNumbers>) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        self.pool.renew().map_err(wrong)?;
        let Self { player, assignment, pool, .. } = self;
        let assignment = *assignment;
        let play = |player: &mut value::Actor, &(columns, lines, seed): &TaskNumbers| {
            let experience = player.play(&Task { columns, lines, seed }).map_err(wrong)?;
            Ok(Played { assignment, seed, experience }.to_bytes())
        };
        let games: PyResult<Vec<Vec<u8>>> = py.detach(|| match pool.get() {
            Some(pool) => pool.install(|| tasks.par_iter().map_init(|| (**player).clone(), play).collect()),
            None => tasks.iter().map(|task| play(player, task)).collect(),
        });
        Ok(games?.iter().map(|game| PyBytes::new(py, game)).collect())
    }

    fn clone(&self) -> Self {
        let Self { player, assignment, round, pool, made } = self;
        let (player, pool, made) = (player.clone(), pool.clone(), Arc::clone(made));
        Self { player, assignment: *assignment, round: *round, pool, made }
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    /// The actor of an order, nets of later speeds, and as many threads.
    #[staticmethod]
    #[pyo3(name = "_remade")]
    fn remade(py: Python<'_>, assignment: &[u8], later: Vec<Vec<u8>>, threads: usize) -> PyResult<Self> {
        Self::new(py, assignment, later, threads)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Reduced<'py>)> {
        let (assignment, later) = &*self.made;
        let later = later.iter().map(|net| PyBytes::new(py, net)).collect();
        let parts = (PyBytes::new(py, assignment), later, self.pool.threads());
        Ok((py.get_type::<Self>().getattr("_remade")?, parts))
    }

    /// Rounds before the one whose games it plays.
    #[getter]
    fn round(&self) -> u64 {
        self.round
    }
}

/// The nets of files by their speeds and tap speeds.
pub(super) fn nets(files: &[Vec<u8>]) -> PyResult<Nets> {
    let read = |bytes: &Vec<u8>| {
        let (net, provenance) = Net::from_bytes(bytes).map_err(wrong)?;
        Ok((net, provenance.speed))
    };
    let nets = files.iter().map(read).collect::<PyResult<Vec<_>>>()?;
    assemble(nets).map_err(|speed| {
        let level = LEVELS[speed as usize];
        wrong(format!("nets: expected one net a speed, found two of level {level} for the same tap speed"))
    })
}

fn speed_of(level: u32) -> PyResult<Speed> {
    Speed::of_first_level(level)
        .ok_or_else(|| wrong(format!("speed: expected 18, 19, 29 or 39, found {level}")))
}

fn number(name: &str, given: Option<u32>, usual: u32, range: std::ops::RangeInclusive<u32>) -> PyResult<u32> {
    let number = given.unwrap_or(usual);
    if range.contains(&number) {
        return Ok(number);
    }
    Err(wrong(format!("{name}: expected {} to {}, found {number}", range.start(), range.end())))
}

fn share(name: &str, given: Option<f32>, usual: f32) -> PyResult<f32> {
    let share = given.unwrap_or(usual);
    if (0.0..=1.0).contains(&share) {
        return Ok(share);
    }
    Err(wrong(format!("{name}: expected 0 to 1, found {share}")))
}

fn points(name: &str, given: Option<f32>, usual: f32) -> PyResult<f32> {
    let points = given.unwrap_or(usual);
    if points.is_finite() {
        return Ok(points);
    }
    Err(wrong(format!("{name}: expected a number of points, found {points}")))
}

fn rows(name: &str, given: Option<f32>, usual: f32) -> PyResult<f32> {
    let rows = given.unwrap_or(usual);
    if (0.0..=4.0).contains(&rows) {
        return Ok(rows);
    }
    Err(wrong(format!("{name}: expected a number of rows from 0 to 4, found {rows}")))
}

fn rounds(name: &str, given: Option<f32>, usual: f32) -> PyResult<f32> {
    let rounds = given.unwrap_or(usual);
    if (1.0..=1e9).contains(&rounds) {
        return Ok(rounds);
    }
    Err(wrong(format!("{name}: expected 1 to 1e9 rounds, found {rounds}")))
}
