/** The time zone of the portal, and of datasets that name none. */
export const PORTAL_ZONE = 'America/Sao_Paulo'

/** Whether a text names a time zone, such as America/Manaus; offsets such as -03:00 are no names. */
export const isTimeZone = (name: string): boolean => {
  if (!/^[A-Za-z][\w+/-]*$/.test(name)) return false
  try {
    return Boolean(new Intl.DateTimeFormat('pt-BR', { timeZone: name }))
  } catch {
    return false
  }
}
