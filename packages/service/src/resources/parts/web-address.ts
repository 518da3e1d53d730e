import type { Fault, Json } from '@inlay/contract';

/** Ports of other protocols that HTTP clients refuse: https://fetch.spec.whatwg.org/#port-blocking. */
const otherPorts = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080,
]);

/** Rejects anything but a web address without user name or password, at a port that HTTP clients accept. */
export function webAddress(value: Json, at: string, fault: Fault): void {
  if (typeof value !== 'string') return;
  const parsed = URL.canParse(value) ? new URL(value) : undefined;
  const isWeb =
    parsed !== undefined && /^https?:$/u.test(parsed.protocol) && parsed.username === '' && parsed.password === '';
  if (!isWeb) fault(at, 'must be an http or https address without user name or password');
  else if (otherPorts.has(Number(parsed.port)))
    fault(at, `has port ${parsed.port}, to which no HTTP request is sent; use another port`);
}
