import type { Author } from '../clinical/author.ts'
import { dayOf, newBeneficiaryValues } from '../clinical/beneficiaries.ts'
import { sealContent } from '../clinical/record-content.ts'
import type { Db } from '../db/open-database.ts'
import type { Secrets } from '../secrets.ts'
import { fictitiousCases, firstPrescription } from './fictitious-cases.ts'
import { fictitiousPeople } from './fictitious-people.ts'

/** Fictitious beneficiaries, and what was written of them within the last 12 months. */
export const seedRecords = async (
  tx: Db,
  { secrets, now }: { secrets: Secrets; now: () => Date },
  author: Author,
): Promise<void> => {
  const { idUsuario: idAutor, nomeUsuario: autor } = author
  const entries = entriesBefore(now())
  const people = await tx
    .insertInto('beneficiario')
    .values(
      fictitiousPeople.map((data, person) => ({
        ...newBeneficiaryValues(secrets, data, { author, now: before(now(), 366 - person) }),
        ultimoRegistro: latestDay(entries, person),
      })),
    )
    .returning('id')
    .execute()
  // Ids rise in the order of the values.
  const numbers = people.map(({ id }) => id).toSorted((a, b) => a - b)
  const registered = await tx
    .insertInto('prontuario')
    .values(
      entries.map(({ person, content, em, mendedAt }) => ({
        beneficiario: numbers[person] ?? 0,
        conteudo: sealContent(secrets, content),
        dataProntuario: dayOf(em),
        idAutor,
        autor,
        registradoEm: em,
        ...(mendedAt && { idAlteradoPor: idAutor, alteradoPor: autor, alteradoEm: mendedAt, versao: 2 }),
      })),
    )
    .returning(['id', 'beneficiario', 'versao', 'registradoEm'])
    .execute()
  const records = registered.toSorted((a, b) => a.id - b.id)
  await tx
    .insertInto('prontuarioVersao')
    .values(
      records.flatMap(({ id, versao, registradoEm: em }, index) => {
        const content = entries[index]?.content
        if (versao === 1 || !content) return []
        const first = { ...content, prescricao_beneficiario: firstPrescription }
        return { prontuario: id, versao: 1, conteudo: sealContent(secrets, first), idAutor, autor, em }
      }),
    )
    .execute()
  await tx
    .insertInto('acessoSaude')
    .values(
      records.map(({ id, beneficiario, registradoEm: quando }) => ({
        quando,
        idUsuario: idAutor,
        nomeUsuario: autor,
        acao: 'registrado' as const,
        objeto: 'prontuario' as const,
        idObjeto: id,
        beneficiario,
        finalidade: 'atendimento' as const,
        finalidadeTexto: null,
        idRequisicao: null,
      })),
    )
    .execute()
}

const day = 24 * 3_600_000
const recordCount = 40

/** Oldest first, so that ids and days rise together. */
const entriesBefore = (now: Date) =>
  Array.from({ length: recordCount }, (_, index) => {
    const daysAgo = Math.round(((recordCount - index) * 362) / recordCount)
    const em = before(now, daysAgo, 9 + (index % 9))
    const [first] = fictitiousCases
    if (!first) throw new Error('There is no case to tell.')
    return {
      // Some come back, most come once.
      person: index % 3 === 0 ? index % 8 : (index * 5) % fictitiousPeople.length,
      content: fictitiousCases[(index * 7) % fictitiousCases.length] ?? first,
      em,
      mendedAt: index % 13 === 12 ? new Date(em.getTime() + day) : undefined,
    }
  })

/** An hour of a day in São Paulo (UTC-3), so many days before. */
const before = (now: Date, days: number, hour = 9): Date => {
  const noon = new Date(`${dayOf(new Date(now.getTime() - days * day))}T12:00:00-03:00`)
  return new Date(noon.getTime() + (hour - 12) * 3_600_000)
}

const latestDay = (entries: ReturnType<typeof entriesBefore>, person: number): string | null => {
  const latest = entries.findLast((entry) => entry.person === person)
  return latest ? dayOf(latest.em) : null
}
