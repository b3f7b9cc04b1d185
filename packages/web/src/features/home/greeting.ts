/** 'Bom dia' until noon, 'Boa tarde' until six, then 'Boa noite', with the person's first name. */
export const greeting = (name: string, hour: number): string => {
  const words = hour >= 5 && hour < 12 ? 'Bom dia' : hour >= 12 && hour < 18 ? 'Boa tarde' : 'Boa noite'
  const first = name.trim().split(/\s+/)[0]
  return first ? `${words}, ${first}` : words
}
