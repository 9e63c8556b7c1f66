//! Requests that move the machine through time.

use nes_debug::{Goal, Unit, Way};
use serde_json::{Value, json};

use crate::protocol::Arguments;
use crate::refused::Refused;
use crate::server::{After, Server};

impl Server {
    fn goes(&mut self, goal: Goal) -> Value {
        self.after = Some(After::Run(goal));
        Value::Null
    }

    fn goes_back(&mut self, unit: &Unit) -> Result<Value, Refused> {
        let session = self.session()?;
        let stop = session.debugger.back(unit, 1);
        self.after = Some(After::Stopped(stop));
        Ok(Value::Null)
    }

    /// Whether a step is one of a line: not where it is to be an instruction, and not in code of
    /// which no line is known.
    fn by_line(&mut self, granularity: &str) -> Result<bool, Refused> {
        Ok(granularity != "instruction" && self.session()?.debugger.source_line().is_some())
    }

    #[expect(clippy::unnecessary_wraps, reason = "all requests have one signature")]
    pub(crate) fn continue_run(&mut self, _: &Arguments) -> Result<Value, Refused> {
        self.goes(Goal::Free);
        Ok(json!({ "allThreadsContinued": true }))
    }

    pub(crate) fn next(&mut self, arguments: &Arguments) -> Result<Value, Refused> {
        let by_line = self.by_line(&arguments.granularity)?;
        Ok(self.goes(if by_line { Goal::Source(Way::Over) } else { Goal::Over }))
    }

    pub(crate) fn step_in(&mut self, arguments: &Arguments) -> Result<Value, Refused> {
        let by_line = self.by_line(&arguments.granularity)?;
        Ok(self.goes(if by_line { Goal::Source(Way::Into) } else { Goal::Instructions(1) }))
    }

    #[expect(clippy::unnecessary_wraps, reason = "all requests have one signature")]
    pub(crate) fn step_out(&mut self, _: &Arguments) -> Result<Value, Refused> {
        Ok(self.goes(Goal::Out))
    }

    pub(crate) fn step_back(&mut self, arguments: &Arguments) -> Result<Value, Refused> {
        let by_line = self.by_line(&arguments.granularity)?;
        self.goes_back(if by_line { &Unit::Source } else { &Unit::Instruction })
    }

    pub(crate) fn reverse_continue(&mut self, _: &Arguments) -> Result<Value, Refused> {
        self.goes_back(&Unit::Breakpoint)
    }
}
