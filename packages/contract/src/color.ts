const hex = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/iu;
const call = /^(rgb|rgba|hsl|hsla)\(([^()]{1,60})\)$/iu;
const numeral = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(%|deg)?$/u;
const names = new Set(
  (
    'aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood ' +
    'cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod darkgray ' +
    'darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen ' +
    'darkslateblue darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey dodgerblue ' +
    'firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray green greenyellow grey honeydew ' +
    'hotpink indianred indigo ivory khaki lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan ' +
    'lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray ' +
    'lightslategrey lightsteelblue lightyellow lime limegreen linen magenta maroon mediumaquamarine mediumblue ' +
    'mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen mediumturquoise mediumvioletred ' +
    'midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive olivedrab orange orangered orchid ' +
    'palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru pink plum powderblue purple ' +
    'rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue ' +
    'slateblue slategray slategrey snow springgreen steelblue tan teal thistle tomato transparent turquoise violet ' +
    'wheat white whitesmoke yellow yellowgreen'
  ).split(' '),
);

/** True if a text is a CSS colour: hex, `rgb()`, `rgba()`, `hsl()`, `hsla()` or a named colour. */
export function isColor(text: string): boolean {
  const trimmedText = text.trim();
  if (trimmedText.length > 80) return false;
  if (hex.test(trimmedText) || names.has(trimmedText.toLowerCase())) return true;
  const match = call.exec(trimmedText);
  if (match === null) return false;
  const parts = (match[2] ?? '').split(/[\s,/]+/u).filter((part) => part !== '');
  return (parts.length === 3 || parts.length === 4) && parts.every((part) => numeral.test(part));
}
