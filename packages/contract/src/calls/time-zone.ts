import { z } from './zod.ts'

/** The zone of the portal's own times. */
export const PORTAL_ZONE = 'America/Sao_Paulo'

const isTimeZone = (name: string): boolean => {
  try {
    return Boolean(new Intl.DateTimeFormat('pt-BR', { timeZone: name }))
  } catch {
    return false
  }
}

/** An IANA name. */
export const TimeZone = z
  .string()
  .max(60, 'Escolha um fuso horário.')
  .regex(/^[A-Za-z][\w+/-]*$/, 'Escolha um fuso horário.')
  .refine(isTimeZone, 'Este fuso horário não existe.')
