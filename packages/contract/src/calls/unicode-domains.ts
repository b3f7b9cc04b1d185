/*
 * Labels of domains in Unicode, as the SQL function `dominios_em_unicode` makes them (migration
 * 0062). The tests of both run the same labels.
 */

// Constants of punycode, RFC 3492, section 5.
const BASE = 36
const T_MIN = 1
const T_MAX = 26
const SKEW = 38
const DAMP = 700
const FIRST_BIAS = 72
const FIRST_CODE_POINT = 128

const DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789'
const MAX_CODE_POINT = 0x10ffff
/** As RFC 1035 allows it. */
const MAX_LABEL = 63
/** A larger position or weight belongs to no label of 63 letters. */
const MAX_NUMBER = 2 ** 31 - 1

/** Returns the text with each `xn--` label in Unicode: `ana@açaí.com.br` for `ana@xn--aa-4iaz.com.br`. */
export const withUnicodeDomains = (text: string): string =>
  text.replace(/[a-z\d-]+/gi, (label) =>
    /^xn--./i.test(label) ? (decodeLabel(label.slice(4).toLowerCase()) ?? label) : label,
  )

/** Decodes punycode (RFC 3492, section 6.2); undefined when it is not valid. */
const decodeLabel = (encoded: string): string | undefined => {
  if (encoded.length > MAX_LABEL) return undefined
  const hyphen = encoded.lastIndexOf('-')
  const letters = [...encoded.slice(0, Math.max(hyphen, 0))]
  let [codePoint, bias, position, next] = [FIRST_CODE_POINT, FIRST_BIAS, 0, hyphen + 1]
  while (next < encoded.length) {
    const before = position
    for (let weight = 1, k = BASE; ; k += BASE) {
      const digit = DIGITS.indexOf(encoded[next++] ?? ' ')
      if (digit < 0) return undefined
      position += digit * weight
      const threshold = Math.min(Math.max(k - bias, T_MIN), T_MAX)
      if (digit < threshold) break
      weight *= BASE - threshold
      if (position > MAX_NUMBER || weight > MAX_NUMBER) return undefined
    }
    const count = letters.length + 1
    bias = adaptedBias(position - before, count, before === 0)
    codePoint += Math.floor(position / count)
    if (codePoint > MAX_CODE_POINT || (codePoint >= 0xd800 && codePoint <= 0xdfff)) return undefined
    position %= count
    letters.splice(position++, 0, String.fromCodePoint(codePoint))
  }
  return letters.join('')
}

const adaptedBias = (delta: number, count: number, isFirst: boolean): number => {
  let rest = Math.floor(delta / (isFirst ? DAMP : 2))
  rest += Math.floor(rest / count)
  let k = 0
  for (; rest > ((BASE - T_MIN) * T_MAX) / 2; k += BASE) rest = Math.floor(rest / (BASE - T_MIN))
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW))
}
