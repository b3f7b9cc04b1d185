import { BeneficiaryDraft, type BeneficiaryImport, type Sex, sexes } from '@bi-manager/contract'
import type { ValidatedLine } from '../../platform/http/lists/import-lines.ts'
import { birthDateFault, dataOf, KNOWN_ID } from './beneficiaries.rules.ts'
import { type BeneficiaryData, foldedId, foldedName } from './beneficiaries.ts'

type ImportLine = BeneficiaryImport['linhas'][number]

type ValidatedBeneficiary = ValidatedLine<ImportLine, BeneficiaryData>

/** Returns the valid plan ids of the lines, in capitals, without duplicates. */
export const planIdsOf = (lines: readonly ImportLine[]): string[] => [
  ...new Set(lines.flatMap((line) => validPlanId(line) ?? [])),
]

/**
 * Checks every line and reports all errors. Of lines with the same plan id, the first one counts.
 * @param registered plan ids of the registry, in capitals
 * @param today yyyy-mm-dd
 */
export const validateLines = (
  lines: readonly ImportLine[],
  registered: ReadonlySet<string>,
  today: string,
): ValidatedBeneficiary[] => {
  const firstOf = new Map<string, number>()
  return lines.map((line) => {
    const sexo = sexOf(line.sexo)
    const { data, error } = BeneficiaryDraft.safeParse({ ...line, sexo: sexo ?? null })
    const erros: Record<string, string> = {}
    for (const { path, message } of error?.issues ?? []) erros[String(path[0])] ??= message
    if (sexo === undefined) erros.sexo = 'Informe Feminino, Masculino ou Outro (ou F, M, O).'
    const fault = birthDateFault({ data_nascimento: line.data_nascimento?.trim() }, today)
    if (fault) erros.data_nascimento = fault
    const planId = validPlanId(line)
    if (planId !== undefined) {
      const first = firstOf.get(planId)
      if (first === undefined) firstOf.set(planId, line.linha)
      else erros.id_beneficiario = `O mesmo ID está na linha ${first}.`
      if (registered.has(planId)) erros.id_beneficiario = KNOWN_ID
    }
    return { line, erros, data: data && Object.keys(erros).length === 0 ? dataOf(data) : undefined }
  })
}

/**
 * Parses 'Feminino', 'FEMININO', 'F'. @returns null for an empty cell, undefined for an unknown
 * text
 */
const sexOf = (cell = ''): Sex | null | undefined => {
  const text = foldedName(cell)
  if (text === '') return null
  return (Object.keys(sexes) as Sex[]).find((sex) => text === sex || text === sex.charAt(0))
}

const validPlanId = ({ id_beneficiario }: ImportLine): string | undefined =>
  planIdOf(BeneficiaryDraft.shape.id_beneficiario.safeParse(id_beneficiario).data)

const planIdOf = (id: string | undefined): string | undefined => (id === undefined ? undefined : foldedId(id))
