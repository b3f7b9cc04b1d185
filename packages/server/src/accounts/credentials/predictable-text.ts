/**
 * Returns whether a lower-case password is only a short repeated part, runs of letters, digits or
 * keys (`abcd1234`, `qweasdzxc`), or a date.
 */
export const isPredictable = (text: string): boolean => isRepetition(text) || isRuns(text) || isDate(text)

const longestPiece = 4

const isRepetition = (text: string): boolean => {
  for (let period = 1; period <= longestPiece; period += 1) {
    if (text.length >= 2 * period && text.slice(period) === text.slice(0, -period)) return true
  }
  return false
}

const ascending = [
  'abcdefghijklmnopqrstuvwxyz',
  '012345678901234567890',
  'qwertyuiop',
  'asdfghjklc',
  'zxcvbnm,.;/',
  '!@#$%^&*()',
  '!@#$%&*()',
  '1qaz',
  '2wsx',
  '3edc',
  '4rfv',
  '5tgb',
  '6yhn',
  '7ujm',
  '8ik,',
  '9ol.',
]
const sequences = [...ascending, ...ascending.map((sequence) => [...sequence].reverse().join(''))]

const shortestRun = 3

/** Tracks reachable positions: a run may end where the next one starts. */
const isRuns = (text: string): boolean => {
  const reached = new Set([0])
  for (let at = 0; at < text.length; at += 1) {
    if (!reached.has(at)) continue
    for (let end = at + shortestRun; end <= text.length && isRun(text.slice(at, end)); end += 1)
      reached.add(end)
  }
  return reached.has(text.length)
}

const isRun = (text: string): boolean =>
  sequences.some((sequence) => sequence.includes(text)) || text === text.charAt(0).repeat(text.length)

/** Matches day, month and year in Portuguese or ISO order, with or without separators. */
const isDate = (text: string): boolean => {
  const parts =
    /^(?<day>\d{1,2})[^\da-z]?(?<month>\d{1,2})[^\da-z]?(?<year>(?:19|20)\d\d)$/.exec(text) ??
    /^(?<year>(?:19|20)\d\d)[^\da-z]?(?<month>\d{1,2})[^\da-z]?(?<day>\d{1,2})$/.exec(text)
  const { day, month } = parts?.groups ?? {}
  return (
    day !== undefined && Number(day) >= 1 && Number(day) <= 31 && Number(month) >= 1 && Number(month) <= 12
  )
}
