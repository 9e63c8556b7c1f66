-- Lua's own functions, where C does in one call what can take for ever, or more stack or memory than a script may have.
-- Results are those of Lua 5.1. What takes time is charged like the instructions that it is worth, or is written in Lua.

local ours = ...
local globals = _G
local find, match, scan, gsub = ours.find, ours.match, ours.scan, ours.gsub
local charge, room, lengths, words = ours.charge, ours.room, ours.lengths, ours.words
local error, type, tostring, tonumber, rawget, rawset, next = error, type, tostring, tonumber, rawget, rawset, next
local select, pcall_, xpcall_, unpack_ = select, pcall, xpcall, unpack
local collectgarbage_ = collectgarbage
local floor = math.floor
local rep, sub, upper, lower, reverse, format = string.rep, string.sub, string.upper, string.lower, string.reverse, string.format
local concat, insert, remove = table.concat, table.insert, table.remove
local resume = coroutine.resume
local substitute = string.gsub

-- Texts longer than this are charged for.
local LONG = 1024

local function wrong(place, name, expected, value, level)
  local found = value == nil and "no value" or type(value)
  error("bad argument #" .. place .. " to '" .. name .. "' (" .. expected .. " expected, got " .. found .. ")", level + 1)
end

local function text(value, place, name)
  if type(value) == "string" then return value end
  if type(value) == "number" then return tostring(value) end
  wrong(place, name, "string", value, 3)
end

-- An integer as C makes one of a number.
local function int(value, place, name, default)
  if value == nil and default then return default end
  local number = tonumber(value)
  if not number then wrong(place, name, "number", value, 3) end
  if number ~= number then return 0 end
  if number >= 2147483647 then return 2147483647 end
  if number <= -2147483648 then return -2147483648 end
  if number < 0 then return -floor(-number) end
  return floor(number)
end

local function table_of(value, place, name)
  if type(value) ~= "table" then wrong(place, name, "table", value, 3) end
end

-- What a function of ours answers, or its message as an error of whoever called the function of Lua.
local function results(ok, ...)
  if ok then return ... end
  error((...), 3)
end

-- What a function of C answers, or its message as an error of whoever called it by its name: called from here it does
-- not know that.
local function native(name, ok, ...)
  if ok then return ... end
  local reason = ...
  if type(reason) == "string" then reason = substitute(reason, "'%?'", "'" .. name .. "'", 1) end
  error(reason, 3)
end

function string.find(s, p, init, plain)
  s, p = text(s, 1, "find"), text(p, 2, "find")
  if init ~= nil then init = int(init, 3, "find") end
  return results(find(s, p, init, plain and true or false))
end

function string.match(s, p, init)
  s, p = text(s, 1, "match"), text(p, 2, "match")
  if init ~= nil then init = int(init, 3, "match") end
  return results(match(s, p, init))
end

function string.gmatch(s, p)
  s, p = text(s, 1, "gmatch"), text(p, 2, "gmatch")
  local place = 0
  local function advance(ok, first, last, ...)
    if not ok then error(first, 3) end
    if not first then return end
    -- Behind an empty match the next one is a byte on.
    place = last < first and last + 1 or last
    return ...
  end
  return function() return advance(scan(s, p, place, false, true)) end
end
string.gfind = string.gmatch

local function replacement(by, kind, whole, ...)
  local value
  if kind == "function" then value = by(...) else value = by[(...)] end
  if not value then return whole end
  if type(value) == "string" then return value end
  if type(value) == "number" then return tostring(value) end
  error("invalid replacement value (a " .. type(value) .. ")", 4)
end

function string.gsub(s, p, by, most)
  s, p = text(s, 1, "gsub"), text(p, 2, "gsub")
  local kind = type(by)
  if most ~= nil then most = int(most, 4, "gsub") end
  if kind == "string" or kind == "number" then
    return results(gsub(s, p, tostring(by), most))
  end
  if kind ~= "function" and kind ~= "table" then
    error("bad argument #3 to 'gsub' (string/function/table expected)", 2)
  end
  most = most or #s + 1
  local anchored = sub(p, 1, 1) == "^"
  local parts, size, count, place = {}, 0, 0, 0
  local function step(ok, first, last, ...)
    if not ok then error(first, 4) end
    if not first then return false end
    count = count + 1
    if first - 1 > place then
      size = size + 1
      parts[size] = sub(s, place + 1, first - 1)
    end
    size = size + 1
    parts[size] = replacement(by, kind, sub(s, first, last), ...)
    if last >= first then
      place = last
    else
      -- An empty match: the byte behind it stays.
      if first <= #s then
        size = size + 1
        parts[size] = sub(s, first, first)
      end
      place = first
    end
    return true
  end
  while count < most and place <= #s and step(scan(s, p, place, true, kind == "function")) do
    if anchored then break end
  end
  size = size + 1
  parts[size] = sub(s, place + 1)
  return table.concat(parts), count
end

function string.rep(s, count)
  s, count = text(s, 1, "rep"), int(count, 2, "rep")
  if count <= 0 or s == "" then return "" end
  room(#s * count)
  charge(count)
  return rep(s, count)
end

for name, call in next, { upper = upper, lower = lower, reverse = reverse } do
  string[name] = function(s)
    s = text(s, 1, name)
    if #s > LONG then room(#s) charge(#s / 4) end
    return call(s)
  end
end

function string.format(pattern, ...)
  pattern = text(pattern, 1, "format")
  local bytes = lengths(pattern, ...)
  -- Quoted, a byte can become four.
  if bytes > LONG then room(bytes) charge(bytes / 4) end
  return native("format", pcall_(format, pattern, ...))
end

function globals.tonumber(...)
  local value = ...
  if type(value) == "string" and #value > LONG then charge(#value) end
  return native("tonumber", pcall_(tonumber, ...))
end

local load_text = loadstring
function globals.loadstring(source, name)
  if type(source) == "string" then charge(#source) end
  return load_text(source, name)
end

function globals.unpack(list, first, last)
  table_of(list, 1, "unpack")
  first = int(first, 2, "unpack", 1)
  last = int(last, 3, "unpack", #list)
  if last - first >= 7900 then error("too many results to unpack", 2) end
  return unpack_(list, first, last)
end

function globals.collectgarbage(what, number)
  what = what == nil and "collect" or what
  if what == "collect" or what == "step" then
    charge(collectgarbage_("count") * 64)
  elseif what == "setpause" or what == "setstepmul" then
    -- Less would collect all the time.
    number = int(number, 2, "collectgarbage", 0)
    number = number < 100 and 100 or number > 400 and 400 or number
  end
  return native("collectgarbage", pcall_(collectgarbage_, what, number))
end

function table.insert(...)
  local list, place, value = ...
  local count = select("#", ...)
  table_of(list, 1, "insert")
  if count == 2 then return insert(list, place) end
  if count ~= 3 then error("wrong number of arguments to 'insert'", 2) end
  place = int(place, 2, "insert")
  local last = #list + 1
  if place > last then last = place end
  for i = last, place + 1, -1 do rawset(list, i, rawget(list, i - 1)) end
  rawset(list, place, value)
end

function table.remove(list, place)
  table_of(list, 1, "remove")
  local last = #list
  place = int(place, 2, "remove", last)
  if place < 1 or place > last then return end
  charge(last - place)
  return remove(list, place)
end

function table.concat(list, separator, first, last)
  separator = separator == nil and "" or text(separator, 2, "concat")
  table_of(list, 1, "concat")
  first = int(first, 3, "concat", 1)
  last = int(last, 4, "concat", #list)
  local bytes = 0
  for i = first, last do
    local item = rawget(list, i)
    local kind = type(item)
    if kind == "string" then
      bytes = bytes + #item
    elseif kind == "number" then
      bytes = bytes + 16
    else
      error("invalid value (" .. kind .. ") at index " .. i .. " in table for 'concat'", 2)
    end
  end
  if last > first then bytes = bytes + (last - first) * #separator end
  if bytes > LONG then room(bytes) end
  return concat(list, separator, first, last)
end

-- The sort of Lua 5.1 step by step, so that equal elements, and functions that contradict themselves, give the same.
local function sort(list, less, l, u)
  while l < u do
    local low, high = rawget(list, l), rawget(list, u)
    if less(high, low) then
      rawset(list, l, high)
      rawset(list, u, low)
    end
    if u - l == 1 then return end
    local i = floor((l + u) / 2)
    local pivot
    low, pivot = rawget(list, l), rawget(list, i)
    if less(pivot, low) then
      rawset(list, i, low)
      rawset(list, l, pivot)
    else
      high = rawget(list, u)
      if less(high, pivot) then
        rawset(list, i, high)
        rawset(list, u, pivot)
      end
    end
    if u - l == 2 then return end
    pivot = rawget(list, i)
    rawset(list, i, rawget(list, u - 1))
    rawset(list, u - 1, pivot)
    i = l
    local j = u - 1
    while true do
      i = i + 1
      local a = rawget(list, i)
      while less(a, pivot) do
        if i > u then error("invalid order function for sorting", 0) end
        i = i + 1
        a = rawget(list, i)
      end
      j = j - 1
      local b = rawget(list, j)
      while less(pivot, b) do
        if j < l then error("invalid order function for sorting", 0) end
        j = j - 1
        b = rawget(list, j)
      end
      if j < i then break end
      rawset(list, i, b)
      rawset(list, j, a)
    end
    local a, b = rawget(list, u - 1), rawget(list, i)
    rawset(list, u - 1, b)
    rawset(list, i, a)
    if i - l < u - i then
      sort(list, less, l, i - 1)
      l = i + 1
    else
      sort(list, less, i + 1, u)
      u = i - 1
    end
  end
end

local function ascending(a, b) return a < b end

function table.sort(list, less)
  table_of(list, 1, "sort")
  if less ~= nil and type(less) ~= "function" then wrong(2, "sort", "function", less, 2) end
  sort(list, less or ascending, 1, #list)
end

function table.foreach(list, call)
  table_of(list, 1, "foreach")
  for key, value in next, list do
    local result = call(key, value)
    if result ~= nil then return result end
  end
end

function table.foreachi(list, call)
  table_of(list, 1, "foreachi")
  for i = 1, #list do
    local result = call(i, rawget(list, i))
    if result ~= nil then return result end
  end
end

function table.maxn(list)
  table_of(list, 1, "maxn")
  local most = 0
  for key in next, list do
    if type(key) == "number" and key > most then most = key end
  end
  return most
end

-- Errors of the interface are values that Lua's memory limit does not count: whoever catches one gets its text.
local function caught(ok, ...)
  if ok then return ok, ... end
  local reason = ...
  if type(reason) == "userdata" then return false, words(reason) end
  return false, reason
end

function globals.pcall(...) return caught(pcall_(...)) end

function globals.xpcall(call, handler)
  return caught(xpcall_(call, function(reason)
    -- An error that the meter raised leaves Lua without its hook until it is caught: a handler would run uncounted.
    charge(200)
    return handler(type(reason) == "userdata" and words(reason) or reason)
  end))
end

function coroutine.resume(thread, ...)
  if type(thread) ~= "thread" then error("bad argument #1 to 'resume' (coroutine expected)", 2) end
  return caught(resume(thread, ...))
end
