# What is defined in the language itself. Natives are in natives/.

def empty: {}[] as $nothing | .;
def error: error_empty as $nothing | .;
def error(message): (message | error_empty) as $nothing | .;
def not: if . then false else true end;
def select(f): if f then . else empty end;
def tostring: "\(.)";
def toarray: if type == "array" then . else [.] end;

def range($to): _range(0; $to; 1);
def range($from; $to): _range($from; $to; 1);
def range($from; $to; $by): _range($from; $to; $by);
def repeat(f): def again: ., (f | again); again;
def recurse(f): def down: ., (f | down); down;
def recurse: recurse(.[]?);
def recurse(f; cond): def down: ., (f | select(cond) | down); down;
def recurse_down: recurse;
def while(cond; update): def go: if cond then ., (update | go) else empty end; go;
def until(cond; update): def go: if cond then . else (update | go) end; go;

def map(f): [.[] | f];
def map_values(f): .[] |= f;
def walk(f):
  def go: (if type == "object" then map_values(go) elif type == "array" then map(go) else . end) | f;
  go;
def add(f): reduce f as $x (null; . + $x);
def first: .[0];
def last: .[-1];
def nth($n): .[$n];
def nth($n; f):
  if $n < 0 then error("Out of bounds negative array index") else first(skip($n; f)) end;
def isempty(g): first((g | false), true);
def any(g; cond): first((g | cond | select(.) | true), false);
def all(g; cond): first((g | cond | select(not) | false), true);
def any(cond): any(.[]; cond);
def all(cond): all(.[]; cond);
def any: any(.[]; .);
def all: all(.[]; .);
def isvalid(f): try (f | true) catch false;
def in(xs): . as $x | xs | has($x);
def inside(xs): . as $x | xs | contains($x);
def index($i): indices($i) | .[0];
def rindex($i): indices($i) | .[-1:][0];
def flatten: _flatten_all;
def flatten($depth): _flatten($depth);
def combinations:
  if length == 0 then [] else .[0][] as $x | (.[1:] | combinations) as $rest | [$x] + $rest end;
def combinations(n): . as $all | [range(n)] | map($all) | combinations;
def with_entries(f): to_entries | map(f) | from_entries;

def values: select(. != null);
def nulls: select(. == null);
def booleans: select(type == "boolean");
def numbers: select(type == "number");
def strings: select(type == "string");
def arrays: select(type == "array");
def objects: select(type == "object");
def iterables: select(type == "array" or type == "object");
def scalars: select(type != "array" and type != "object");
def finites: select(isinfinite or isnan | not);
def normals: select(isnormal);

def _keyed(f; $what): _elements($what) | [.[] | [[f], .]];
def sort_by(f): _keyed(f; "sorted") | _sorted;
def group_by(f): _keyed(f; "grouped") | _grouped;
def unique_by(f): _keyed(f; "grouped") | _unique;
def min_by(f): _keyed(f; "iterated over") | _least | .[0];
def max_by(f): _keyed(f; "iterated over") | _greatest | .[0];
def min: min_by(.);
def max: max_by(.);

def getpath($path): if $path | type != "array" then error("Path must be specified as an array")
  else reduce $path[] as $key (.; .[$key]) end;
def paths: path(..) | select(length > 0);
def paths(f): path_value(..) | select(.[0] | length > 0) | select(.[1] | f) | .[0];
def leaf_paths: paths(scalars);
def del(f): delpaths([path(f)]);
def pick(f): . as $top | reduce path(f) as $p (null; setpath($p; $top | getpath($p)));

def tostream:
  def go($path):
    if (type == "array" or type == "object") and length > 0 then
      keys_unsorted as $keys | ($keys[] as $key | .[$key] | go($path + [$key])), [$path + [$keys[-1]]]
    else [$path, .] end;
  go([]);
def fromstream(f):
  foreach f as $event ({value: null, done: false};
    (if .done then {value: null, done: false} else . end)
    | if $event | length == 2 then
        setpath(["value"] + $event[0]; $event[1]) | .done = ($event[0] | length == 0)
      else .done = ($event[0] | length == 1) end;
    if .done then .value else empty end);
def truncate_stream(depth; f): depth as $n | f | select(.[0] | length > $n) | setpath([0]; .[0][$n:]);
def truncate_stream(f): . as $n | null | truncate_stream($n; f);

def _captures: [.captures[] | select(.name != null) | {key: .name, value: .string}] | from_entries;
def _matches($re; $flags):
  if $re | type == "array" then _match($re[0]; ($re[1] // "") + ($flags // ""); false)
  else _match($re; $flags; false) end;
def match($re; $flags): _matches($re; $flags)[];
def match($re): match($re; null);
def test($re; $flags):
  if $re | type == "array" then _match($re[0]; ($re[1] // "") + ($flags // ""); true)
  else _match($re; $flags; true) end;
def test($re): test($re; null);
def capture($re; $flags): match($re; $flags) | _captures;
def capture($re): capture($re; null);
def scan($re; $flags): match($re; "g" + $flags)
  | if .captures | length > 0 then [.captures[].string] else .string end;
def scan($re): scan($re; null);
def split($re; $flags): [_pieces($re; "g" + $flags)[] | strings];
def splits($re; $flags): split($re; $flags)[];
def splits($re): splits($re; null);
def sub($re; f; $flags): reduce _pieces($re; $flags)[] as $piece ("";
  . + (if $piece | type == "string" then $piece else
    ($piece | _captures | f) | if type == "string" then . else
      error("\(type) (\(tojson)) cannot be added to a string") end end));
def sub($re; f): sub($re; f; "");
def gsub($re; f; $flags): sub($re; f; "g" + $flags);
def gsub($re; f): sub($re; f; "g");
def trimstr($x): ltrimstr($x) | rtrimstr($x);
def ascii: [.] | implode;

def format($name):
  if $name == "text" then @text elif $name == "json" then @json elif $name == "csv" then @csv
  elif $name == "tsv" then @tsv elif $name == "html" then @html elif $name == "uri" then @uri
  elif $name == "sh" then @sh elif $name == "base64" then @base64
  elif $name == "base64d" then @base64d elif $name == "base32" then @base32
  elif $name == "base32d" then @base32d else error("\($name) is not a valid format") end;

def fromdate: fromdateiso8601;
def date: todate;
def todateiso8601: todate;
def dateadd(unit; n): . + n;
def datesub(unit; n): . - n;
def debug: _debug as $nothing | .;
def debug(messages): ((messages | _debug) as $nothing | empty), .;
def halt: _halt(0);
def halt_error: halt_error(5);
def get_search_list: [];
def have_literal_numbers: true;
def have_decnum: false;

def INDEX(rows; f): reduce rows as $row ({}; .[$row | f | tostring] |= $row);
def INDEX(f): INDEX(.[]; f);
def IN(others): any(others == .; .);
def IN(these; others): any(these == others; .);
