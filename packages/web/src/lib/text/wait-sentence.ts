/** Returns ' Nova tentativa em 14 minutos.' to append to a sentence; '' if the time is unknown. */
export const waitSentence = (seconds: number): string => {
  if (seconds <= 0) return ''
  if (seconds < 60) return ` Nova tentativa em ${seconds === 1 ? '1 segundo' : `${seconds} segundos`}.`
  const minutes = Math.ceil(seconds / 60)
  return ` Nova tentativa em ${minutes === 1 ? '1 minuto' : `${minutes} minutos`}.`
}
