//! The one file that knows of JavaScript: [`Machine`] as a class, errors as exceptions, pictures
//! and sound as places in the module's memory.

use wasm_bindgen::prelude::*;

use crate::views::Shown;
use crate::{Error, HEIGHT, Machine, WIDTH};

#[wasm_bindgen]
extern "C" {
    /// What a panic says goes to the browser's console, because the module stops after it.
    #[wasm_bindgen(js_namespace = console)]
    fn error(text: &str);
}

/// Called once when the module is loaded.
#[wasm_bindgen(start)]
pub(crate) fn start() {
    std::panic::set_hook(Box::new(|information| error(&information.to_string())));
}

/// The machine of the page.
#[wasm_bindgen(js_name = Player)]
pub struct PagePlayer {
    machine: Machine,
    shown: Shown,
}

/// A frame's picture or sound in the module's memory: bytes or floats from `at` on. It is good
/// until the next call.
#[wasm_bindgen]
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The address.
    #[wasm_bindgen(readonly)]
    pub at: usize,
    /// How many.
    #[wasm_bindgen(readonly)]
    pub length: usize,
}

impl Place {
    fn of<T>(values: &[T]) -> Self {
        Self { at: values.as_ptr().addr(), length: values.len() }
    }
}

type JsResult<T> = Result<T, JsError>;

fn exception(error: Error) -> JsError {
    JsError::from(error)
}

/// Three numbers of the browser's random source.
fn three(random: &[u64]) -> JsResult<[u64; 3]> {
    random.try_into().map_err(|_| exception(Error::Refused("expected three random numbers")))
}

#[wasm_bindgen(js_class = Player)]
#[allow(clippy::missing_errors_doc, reason = "every error is the machine's, as an exception")]
impl PagePlayer {
    /// See [`Machine::new`].
    #[wasm_bindgen(constructor)]
    pub fn new(rate: u32) -> Self {
        Self { machine: Machine::new(rate), shown: Shown::default() }
    }

    /// The picture's width.
    pub fn width() -> usize {
        WIDTH
    }

    /// The picture's height.
    pub fn height() -> usize {
        HEIGHT
    }

    /// See [`Machine::frame_rate`].
    pub fn frame_rate(&self) -> f64 {
        self.machine.frame_rate()
    }

    /// See [`Machine::modes`].
    pub fn modes() -> String {
        Machine::modes()
    }

    /// See [`Machine::insert`].
    pub fn insert(&mut self, name: &str, bytes: &[u8], battery: &[u8]) -> JsResult<()> {
        self.machine.insert(name, bytes, battery).map_err(exception)
    }

    /// See [`Machine::battery`].
    pub fn battery(&self) -> Vec<u8> {
        self.machine.battery().to_vec()
    }

    /// See [`Machine::power`].
    pub fn power(&mut self) {
        self.machine.power();
    }

    /// See [`Machine::reset`].
    pub fn reset(&mut self) {
        self.machine.reset();
    }

    /// See [`Machine::set_rate`].
    pub fn set_rate(&mut self, rate: u32) {
        self.machine.set_rate(rate);
    }

    /// See [`Machine::set_ahead`].
    pub fn set_ahead(&mut self, frames: u8) {
        self.machine.set_ahead(frames);
    }

    /// See [`Machine::set_palette`].
    pub fn set_palette(&mut self, name: &str, bytes: &[u8]) -> JsResult<()> {
        self.machine.set_palette(name, bytes).map_err(exception)
    }

    /// See [`Machine::set_colours`].
    pub fn set_colours(&mut self, name: &str) -> JsResult<()> {
        self.machine.set_colours(name).map_err(exception)
    }

    /// See [`Machine::frame`].
    pub fn frame(&mut self, first: u8, second: u8) {
        self.machine.frame([first, second]);
    }

    /// See [`Machine::step_back`].
    pub fn step_back(&mut self) -> bool {
        self.machine.step_back()
    }

    /// See [`Machine::save`].
    pub fn save(&self) -> Vec<u8> {
        self.machine.save()
    }

    /// See [`Machine::load`].
    pub fn load(&mut self, bytes: &[u8]) -> JsResult<()> {
        self.machine.load(bytes).map_err(exception)
    }

    /// See [`Machine::practise`].
    pub fn practise(
        &mut self,
        mode: &str,
        options: &str,
        pieces: &str,
        position: &str,
        chance: u32,
    ) -> JsResult<()> {
        self.machine.practise(mode, options, pieces, position, chance).map_err(exception)
    }

    /// See [`Machine::undo`].
    pub fn undo(&mut self, seed: Option<u32>) -> JsResult<()> {
        self.machine.undo(seed.map(u64::from)).map_err(exception)
    }

    /// See [`Machine::mark`].
    pub fn mark(&mut self) -> JsResult<usize> {
        self.machine.mark().map_err(exception)
    }

    /// See [`Machine::retry`].
    pub fn retry(&mut self, seed: Option<u32>) -> JsResult<()> {
        self.machine.retry(seed.map(u64::from)).map_err(exception)
    }

    /// See [`Machine::set_computer`].
    pub fn set_computer(&mut self, hertz: u8) -> JsResult<()> {
        self.machine.set_computer(hertz).map_err(exception)
    }

    /// See [`Machine::set_versus`].
    pub fn set_versus(&mut self, hertz: u8) -> JsResult<()> {
        self.machine.set_versus(hertz).map_err(exception)
    }

    /// See [`Machine::begin_recording`].
    pub fn begin_recording(&mut self, kind: &str) -> JsResult<()> {
        self.machine.begin_recording(kind).map_err(exception)
    }

    /// See [`Machine::end_recording`].
    pub fn end_recording(&mut self) -> JsResult<Vec<u8>> {
        self.machine.end_recording().map_err(exception)
    }

    /// See [`Machine::host_match`].
    pub fn host_match(&mut self, options: &str, random: &[u64]) -> JsResult<()> {
        self.machine.host_match(options, three(random)?).map_err(exception)
    }

    /// See [`Machine::join_match`].
    pub fn join_match(&mut self, code: &str, options: &str, random: &[u64]) -> JsResult<()> {
        self.machine.join_match(code, options, three(random)?).map_err(exception)
    }

    /// See [`Machine::watch_match`].
    pub fn watch_match(&mut self, code: &str, options: &str, random: &[u64]) -> JsResult<()> {
        self.machine.watch_match(code, options, three(random)?).map_err(exception)
    }

    /// See [`Machine::match_take`].
    pub fn match_take(&mut self, message: &[u8]) {
        self.machine.match_take(message);
    }

    /// See [`Machine::match_next`].
    pub fn match_next(&mut self) -> Option<Vec<u8>> {
        self.machine.match_next()
    }

    /// See [`Machine::match_cut`].
    pub fn match_cut(&mut self) {
        self.machine.match_cut();
    }

    /// See [`Machine::match_turn`].
    pub fn match_turn(&mut self, held: u8, now: f64, date: f64) -> bool {
        self.machine.match_turn(held, now, date)
    }

    /// See [`Machine::match_said`].
    pub fn match_said(&mut self) -> String {
        self.machine.match_said()
    }

    /// See [`Machine::leave_match`].
    pub fn leave_match(&mut self) {
        self.machine.leave_match();
    }

    /// See [`Machine::close_match`].
    pub fn close_match(&mut self) {
        self.machine.close_match();
    }

    /// See [`Machine::match_file`].
    pub fn match_file(&self) -> Vec<u8> {
        self.machine.match_file()
    }

    /// See [`Machine::match_of`].
    pub fn match_of(bytes: &[u8]) -> JsResult<String> {
        Machine::match_of(bytes).map_err(exception)
    }

    /// See [`Machine::begin_verification`].
    pub fn begin_verification(&mut self, bytes: &[u8]) -> JsResult<()> {
        self.machine.begin_verification(bytes).map_err(exception)
    }

    /// See [`Machine::verify_on`].
    pub fn verify_on(&mut self) -> JsResult<String> {
        self.machine.verify_on().map_err(exception)
    }

    /// See [`Machine::sound_rate`].
    pub fn sound_rate(&self) -> u32 {
        self.machine.sound_rate()
    }

    /// See [`Machine::play_movie`].
    pub fn play_movie(&mut self, name: &str, bytes: &[u8]) -> JsResult<usize> {
        self.machine.play_movie(name, bytes).map_err(exception)
    }

    /// See [`Machine::daily_seed`].
    pub fn daily_seed(day: u32) -> String {
        Machine::daily_seed(day)
    }

    /// See [`Machine::insert_built_in`].
    pub fn insert_built_in(&mut self) -> JsResult<()> {
        self.machine.insert_built_in().map_err(exception)
    }

    /// See [`Machine::set_net`].
    pub fn set_net(&mut self, bytes: &[u8]) -> JsResult<usize> {
        self.machine.set_net(bytes).map_err(exception)
    }

    /// See [`Machine::wants`].
    pub fn wants(&self, name: &str, bytes: &[u8]) -> JsResult<String> {
        self.machine.wants(name, bytes).map_err(exception)
    }

    /// See [`Machine::open_game`].
    pub fn open_game(&mut self, name: &str, bytes: &[u8]) -> JsResult<bool> {
        self.machine.open_game(name, bytes).map_err(exception)
    }

    /// See [`Machine::begin_race`].
    pub fn begin_race(&mut self, name: &str, bytes: &[u8]) -> JsResult<()> {
        self.machine.begin_race(name, bytes).map_err(exception)
    }

    /// See [`Machine::begin_review`].
    pub fn begin_review(&mut self, hertz: f64, reaction: u16) -> JsResult<()> {
        self.machine.begin_review(hertz, reaction).map_err(exception)
    }

    /// See [`Machine::review_file`].
    pub fn review_file(&mut self, name: &str, bytes: &[u8], hertz: f64, reaction: u16) -> JsResult<()> {
        self.machine.review_file(name, bytes, hertz, reaction).map_err(exception)
    }

    /// See [`Machine::review_link`].
    pub fn review_link(&mut self, link: &str) -> JsResult<()> {
        self.machine.review_link(link).map_err(exception)
    }

    /// See [`Machine::review_on`].
    pub fn review_on(&mut self, count: usize) -> JsResult<String> {
        self.machine.review_on(count).map_err(exception)
    }

    /// See [`Machine::review_page`].
    pub fn review_page(&self, title: &str) -> JsResult<String> {
        self.machine.review_page(title).map_err(exception)
    }

    /// See [`Machine::ask_puzzle`].
    pub fn ask_puzzle(&mut self, which: &str, today: u32, chance: u32) -> JsResult<()> {
        self.machine.ask_puzzle(which, today, chance).map_err(exception)
    }

    /// See [`Machine::step_puzzle`].
    pub fn step_puzzle(&mut self, step: &str, today: u32) -> JsResult<bool> {
        self.machine.step_puzzle(step, today).map_err(exception)
    }

    /// See [`Machine::point_puzzle`].
    pub fn point_puzzle(&mut self, column: i32, row: i32) -> bool {
        self.machine.point_puzzle(column, row)
    }

    /// See [`Machine::puzzle`].
    pub fn puzzle(&self, today: u32) -> String {
        self.machine.puzzle(today)
    }

    /// See [`Machine::puzzle_progress`].
    pub fn puzzle_progress(&self) -> String {
        self.machine.puzzle_progress()
    }

    /// See [`Machine::plan_game`].
    pub fn plan_game(&mut self, bytes: &[u8]) -> bool {
        self.machine.plan_game(bytes)
    }

    /// See [`Machine::plan`].
    pub fn plan(&mut self, today: u32) -> String {
        self.machine.plan(today)
    }

    /// See [`Machine::set_puzzle_progress`].
    pub fn set_puzzle_progress(&mut self, text: &str) -> JsResult<()> {
        self.machine.set_puzzle_progress(text).map_err(exception)
    }

    /// See [`Machine::begin_search`].
    pub fn begin_search(&mut self) -> JsResult<()> {
        self.machine.begin_search().map_err(exception)
    }

    /// See [`Machine::search_game`].
    pub fn search_game(&mut self, bytes: &[u8]) -> JsResult<()> {
        self.machine.search_game(bytes).map_err(exception)
    }

    /// See [`Machine::search_on`].
    pub fn search_on(&mut self, count: usize) -> JsResult<String> {
        self.machine.search_on(count).map_err(exception)
    }

    /// See [`Machine::own_puzzles`].
    pub fn own_puzzles(&self) -> Vec<u8> {
        self.machine.own_puzzles()
    }

    /// See [`Machine::set_own_puzzles`].
    pub fn set_own_puzzles(&mut self, bytes: &[u8]) {
        self.machine.set_own_puzzles(bytes);
    }

    /// See [`Machine::begin_lesson`].
    pub fn begin_lesson(&mut self) -> JsResult<()> {
        self.machine.begin_lesson().map_err(exception)
    }

    /// See [`Machine::step_lesson`].
    pub fn step_lesson(&mut self, step: &str) -> JsResult<bool> {
        self.machine.step_lesson(step).map_err(exception)
    }

    /// See [`Machine::point_lesson`].
    pub fn point_lesson(&mut self, column: i32, row: i32) -> bool {
        self.machine.point_lesson(column, row)
    }

    /// See [`Machine::lesson`].
    pub fn lesson(&self) -> String {
        self.machine.lesson()
    }

    /// See [`Machine::close_game`].
    pub fn close_game(&mut self) {
        self.machine.close_game();
    }

    /// See [`Machine::take_over`].
    pub fn take_over(&mut self) -> JsResult<()> {
        self.machine.take_over().map_err(exception)
    }

    /// See [`Machine::read_on`].
    pub fn read_on(&mut self, frames: usize) -> JsResult<f64> {
        self.machine.read_on(frames).map_err(exception)
    }

    /// See [`Machine::seek`].
    pub fn seek(&mut self, frame: usize) -> JsResult<()> {
        self.machine.seek(frame).map_err(exception)
    }

    /// See [`Machine::report`].
    pub fn report(&self) -> String {
        self.machine.report()
    }

    /// See [`Machine::game_file`].
    pub fn game_file(&self) -> JsResult<Vec<u8>> {
        self.machine.game_file().map_err(exception)
    }

    /// See [`Machine::for_link`].
    pub fn for_link(bytes: &[u8]) -> Vec<u8> {
        Machine::for_link(bytes)
    }

    /// See [`Machine::movie_file`].
    pub fn movie_file(&self) -> JsResult<String> {
        self.machine.movie_file().map_err(exception)
    }

    /// See [`Machine::position`].
    pub fn position(&self) -> String {
        self.machine.position()
    }

    /// See [`Machine::status`].
    pub fn status(&self) -> String {
        self.machine.status()
    }

    /// See [`Machine::events`].
    pub fn events(&mut self) -> String {
        self.machine.events()
    }

    /// See [`Machine::state_hash`], as sixteen hexadecimal digits.
    pub fn state_hash(&self) -> String {
        format!("{:016x}", self.machine.state_hash())
    }

    /// Paints the picture and says where it is.
    pub fn paint(&mut self) -> Place {
        Place::of(self.machine.paint())
    }

    /// Where the sound of the last frame is.
    pub fn samples(&mut self) -> Place {
        Place::of(self.machine.samples())
    }

    /// Shows a view of the debugger: its text. A picture of it is where
    /// [`PagePlayer::view_picture`] says.
    pub fn view(&mut self, name: &str) -> JsResult<String> {
        self.shown = self.machine.view(name).map_err(exception)?;
        Ok(std::mem::take(&mut self.shown.text))
    }

    /// Where the last view's picture is: red, green, blue and 255 of each pixel; no bytes without
    /// one.
    pub fn view_picture(&self) -> Place {
        Place::of(&self.shown.rgba)
    }

    /// The width of the last view's picture.
    pub fn view_width(&self) -> usize {
        self.shown.width
    }

    /// The height of the last view's picture.
    pub fn view_height(&self) -> usize {
        self.shown.height
    }
}
