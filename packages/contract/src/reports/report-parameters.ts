import { z } from '../calls/zod.ts'

export const MAX_PARAMETERS = 50

/** An example of a parameter, for forms. */
export const PARAMETER_EXAMPLE = 'Ano=2026'

const parameter = /^[\p{L}_][\p{L}\p{N}_]{0,99}=[^\p{Cc}]{0,1000}$/u

/**
 * Parameters of a paginated report as 'Name=value'. A name with several values is repeated, as Power
 * BI takes it.
 */
export const reportParameters = z
  .array(z.string().trim())
  .max(MAX_PARAMETERS, `No máximo ${MAX_PARAMETERS} parâmetros.`)
  // One message for the list: the form shows it at its one field.
  .refine(
    (texts) => texts.every((text) => parameter.test(text)),
    `Escreva cada parâmetro como ${PARAMETER_EXAMPLE}: o nome que ele tem no relatório (letras, algarismos e _), o sinal de igual e o valor, de até 1000 caracteres.`,
  )
  .transform((texts) => [...new Set(texts)])

/** Returns the parts of 'Name=value'; the value may contain further equals signs. */
export const parameterOf = (text: string): { nome: string; valor: string } => {
  const [nome = '', ...values] = text.split('=')
  return { nome, valor: values.join('=') }
}
