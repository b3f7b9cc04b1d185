/** Returns '1 segundo', '17 segundos', '1 minuto' or '2 minutos'. */
export const inSeconds = (seconds: number): string => {
  if (seconds < 60) return seconds === 1 ? '1 segundo' : `${seconds} segundos`
  const minutes = Math.ceil(seconds / 60)
  return minutes === 1 ? '1 minuto' : `${minutes} minutos`
}

/** Returns ' Nova tentativa em 14 minutos.' to append to a sentence; '' if the time is unknown. */
export const waitSentence = (seconds: number): string =>
  seconds > 0 ? ` Nova tentativa em ${inSeconds(seconds)}.` : ''
