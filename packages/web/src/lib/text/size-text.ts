const number = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 })

/** Returns '820 bytes', '3,4 KB', '10 MB': units of 1024, like the limit. */
export const sizeText = (bytes: number): string => {
  if (bytes < 1024) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`
  const [size, unit] = bytes < 1024 * 1024 ? [bytes / 1024, 'KB'] : [bytes / 1024 / 1024, 'MB']
  return `${number.format(size)} ${unit}`
}
