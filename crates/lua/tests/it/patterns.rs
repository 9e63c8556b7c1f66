//! The functions that Maxout does in place of Lua's own, beside those of the C Lua, on calls made
//! at random.

use mlua::{Lua, LuaOptions, StdLib};

use crate::rig::Rig;

/// A function `case(seed)`: one call made of a seed, and what it gives as a line.
const CASES: &str = r##"
local state
local function roll(sides) state = (state * 16807 + 11) % 2147483647 return math.floor(state / 7) % sides + 1 end
local function one(list) return list[roll(#list)] end
local items = {"a", "b", "c", ".", "%a", "%d", "%s", "%W", "%w", "[ab]", "[^a]", "[a-c]", "[%d_]", "[]]", "[^%s]", "%%", "x",
  "(", ")", "()", "%1", "%2", "%b()", "%bab", "%f[%w]", "%f[%W]", "^", "$", "%z", "\0", "[", "]", "%", "-", "+", "*", "?", "é",
  "[%]]", "[a-]", "[^]", "%x+", "%u", "%p", "%c", "%l"}
local marks = {"", "", "", "*", "+", "-", "?"}
local bytes = {"a", "b", "c", "a", "(", ")", "1", "2", " ", "_", "x", "\0", "\n", "é", "A", "%"}
local function text(longest)
  local s = ""
  for _ = 1, roll(longest + 1) - 1 do s = s .. one(bytes) end
  return s
end
local function pattern()
  local s = roll(6) == 1 and "^" or ""
  for _ = 1, roll(5) do
    if roll(4) == 1 then s = s .. "(" .. one(items) .. one(marks) .. ")" else s = s .. one(items) .. one(marks) end
  end
  return s
end
local function number() return one{1, 2, 3, 0, -1, -3, 5, 100, -100, 2.7, -2.7} end
local function list()
  local t = {}
  for i = 1, roll(12) - 1 do t[i] = one{1, 2, 3, 1.5, "1", "ab", -7, 40, 2, 2, 9} end
  return t
end
local function numbers()
  local t = {}
  for i = 1, roll(40) - 1 do t[i] = roll(20) end
  return t
end
local function show(value)
  if type(value) == "string" then return ("%q"):format(value) end
  if type(value) ~= "table" then return tostring(value) end
  local parts = {}
  for i = 1, #value do parts[i] = show(value[i]) end
  return "{" .. table.concat(parts, ",") .. "}"
end
local function shown(...)
  local line = ""
  for i = 1, select("#", ...) do line = line .. show((select(i, ...))) .. " " end
  return line
end
local templates = {"<%0>", "%1", "%2%1", "", "x", "%%", "%", "a%xb", "[%1]"}
local kinds = {
  function() return "find", text(12), pattern() end,
  function() return "find", text(12), pattern(), number() end,
  function() return "find", text(12), text(3), number(), true end,
  function() return "match", text(12), pattern() end,
  function() return "match", text(12), pattern(), number() end,
  function() return "gsub", text(12), pattern(), one(templates) end,
  function() return "gsub", text(12), pattern(), one(templates), number() end,
  function() return "gsub", text(12), pattern(), {a = "1", b = false, ab = 7, [""] = "e", c = {}}, one{nil, 2, 0} end,
  function() return "gsub", text(12), pattern(), function(...) return one{select("#", ...), "r", (...), false, nil} end end,
  function() return "gmatch", text(12), pattern() end,
  function() return "rep", text(3), number() end,
  function() return one{"upper", "lower", "reverse", "len"}, text(9) end,
  function() return "format", one{"%s|%5s", "%q", "%-7.2s", "%d", "%5.1f|%s", "%x%%", "%c", "%i", "%y"}, one{3, 65.5, text(5)}, text(4) end,
  function() return "insert", list(), number(), 8 end,
  function() return "insert", list(), 8 end,
  function() return "remove", list(), one{1, 2, 3, 0, -1, 40} end,
  function() return "remove", list() end,
  function() return "concat", list(), one{"", ", ", 1}, number(), number() end,
  function() return "concat", list(), one{"-", "", nil} end,
  function() return "sort", numbers() end,
  function() return "sort", numbers(), one{function(a, b) return a > b end, function(a, b) return a % 5 < b % 5 end} end,
  function() return "sort", numbers(), one{function() return true end, function() return roll(2) == 1 end} end,
  function() return "unpack", list(), number(), number() end,
  function() return "maxn", list() end,
  function() return one{"find", "gsub", "rep", "concat", "insert", "sort", "upper"}, one{nil, {}, true, 12}, one{nil, {}, 1, "a"}, one{nil, {}, "b"} end,
}
local function call(name, ...)
  if name == "gmatch" then
    local line, count = "", 0
    for a, b in string.gmatch(...) do
      line = line .. shown(a, b)
      count = count + 1
      if count > 40 then break end
    end
    return line
  end
  local f = name == "unpack" and unpack or string[name] or table[name]
  local line = shown(f(...))
  local first = ...
  return type(first) == "table" and line .. show(first) or line
end
function case(seed)
  state = seed * 7919 + 1
  for _ = 1, 8 do roll(2) end
  local made = {kinds[roll(#kinds)]()}
  local count = table.maxn(made)
  local ok, line = pcall(function()
    local line = call(unpack(made, 1, count))
    return line
  end)
  if not ok then line = "error " .. tostring(line):gsub("^[^:]*:%d+: ", ""):gsub(" to '%w+' %(", " (") end
  return shown(unpack(made, 1, count)):gsub("function: %S+", "f"):gsub("table: %S+", "t") .. "-> " .. tostring(line):gsub("table: %S+", "t")
end
"##;

/// What the C Lua gives for the seeds.
fn expected(first: u32, count: u32) -> Vec<String> {
    let lua = Lua::new_with(StdLib::TABLE | StdLib::STRING | StdLib::MATH, LuaOptions::new()).unwrap();
    lua.load(CASES).set_name("@test.lua").exec().unwrap();
    let case: mlua::Function = lua.globals().get("case").unwrap();
    let line = |seed| case.call::<mlua::LuaString>(seed).unwrap().to_string_lossy();
    (first..first + count).map(line).collect()
}

/// What a script gives, and how often a pattern was too deep for it.
fn compare(first: u32, count: u32) {
    let source = format!(
        "{CASES} for seed = {first}, {first} + {count} - 1 do print(case(seed)) if seed % 2000 == 0 then emu.frameadvance() end end"
    );
    let mut rig = Rig::new(&source);
    let mut found = Vec::new();
    while !rig.script.is_done() {
        rig.frame().unwrap();
        found.extend(rig.lines());
    }
    let expected = expected(first, count);
    assert_eq!(found.len(), expected.len());
    for (index, (found, expected)) in found.iter().zip(&expected).enumerate() {
        // Whether an argument was nil or left out is not told apart.
        let same =
            found == expected || found.replace("no value", "nil") == expected.replace("no value", "nil");
        assert!(same, "seed {}:\n  C Lua: {expected}\n  here:  {found}", first as usize + index);
    }
    let errors = expected.iter().filter(|line| line.contains("-> error")).count();
    assert!(
        errors * 10 < expected.len() * 6,
        "{errors} of {} calls are errors: they say little",
        expected.len()
    );
}

#[test]
fn ten_thousand_calls_give_what_the_c_lua_gives() {
    compare(1, 10_000);
}

#[test]
#[ignore = "a million calls, minutes: cargo test --release -p nes-lua --test it patterns:: -- --ignored"]
fn a_million_calls_give_what_the_c_lua_gives() {
    (0..20).for_each(|part| compare(100_000 + part * 50_000, 50_000));
}
