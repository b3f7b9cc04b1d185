import { encryptJson } from '@bi-manager/server/clinical/health-data/encrypted-json'
import {
  attachmentContext,
  beneficiaryContext,
} from '@bi-manager/server/clinical/health-data/encryption-contexts'
import { encryptContent } from '@bi-manager/server/clinical/health-data/record-content'
import { reserveIds } from '@bi-manager/server/clinical/health-data/row-numbers'
import { createBeneficiary } from '@bi-manager/server/test/clinical/beneficiaries'
import type { TestApp } from '@bi-manager/server/test/test-app'
import { createUser } from '@bi-manager/server/test/users'
import { sql } from 'kysely'

/**
 * How many rows to insert. Two beneficiaries are measured: `ofOne` is the number of records, and of
 * attachments, of an ordinary one, `ofMany` that of one with very many. `beneficiaries` is how many
 * others there are.
 */
export type RecordsSize = Record<'records' | 'attachments' | 'beneficiaries' | 'ofOne' | 'ofMany', number>

/** Rows per statement: counting triggers buffer each statement's rows until it ends. */
const batch = 20_000

/**
 * Fills an empty database with medical records, attachments and beneficiaries. Records have equal
 * texts, and so have all beneficiaries that are not measured, since encrypted texts are never
 * searched. Each value is encrypted for its own row, as in the product, and each beneficiary has
 * different blind indexes (`marca_id`, `marca_nome`). Dates span the last five years.
 */
export const fillRecords = async (app: TestApp, size: RecordsSize) => {
  const { db, services } = app
  const { secrets } = services
  const clinician = await createUser(app, { nomeUsuario: 'Ana Clínica', acessoProntuario: true })
  const one = await createBeneficiary(app, {
    nome_beneficiario: 'Pessoa Medida',
    id_beneficiario: 'medida-1',
  })
  const many = await createBeneficiary(app, {
    nome_beneficiario: 'Pessoa Assídua',
    id_beneficiario: 'medida-2',
  })
  const person = {
    nome_beneficiario: 'Fulano Fictício de Tal',
    id_beneficiario: '0000',
    data_nascimento: '10/03/1970',
    sexo: 'outro',
    plano: 'Pleno',
    operadora: 'CNU',
  }
  /** A blind index is 64 hexadecimal digits, like this digest. */
  const blindIndex = (kind: string) => sql`encode(sha256((${kind}::text || n)::bytea), 'hex')`
  await inBatches(size.beneficiaries, async (from, to) => {
    const ids = await reserveIds(db, 'beneficiario', to - from + 1)
    const encrypted = ids.map((id) => encryptJson(secrets, person, beneficiaryContext({ id, versao: 1 })))
    await sql`insert into beneficiario (id, dados, marca_id, marca_nome, cadastrado_em, id_autor, autor, ultimo_registro)
      select id, dados, ${blindIndex('id')}, ${blindIndex('nome')}, now(), ${clinician.idUsuario}::int, 'Ana Clínica', current_date
      from unnest(${ids}::int[], ${encrypted}::text[], ${numbersFrom(from, to)}::int[]) as novo(id, dados, n)`.execute(
      db,
    )
  })

  /**
   * Returns whose row number `n` is: those of the measured beneficiaries are spread evenly, the
   * others share the rest. The ids of the others follow that of `many`.
   */
  const beneficiaryOfRow = (total: number) => sql`case
    when n % ${Math.floor(total / size.ofOne)}::int = 0 then ${one.id}::int
    when n % ${Math.floor(total / size.ofMany)}::int = 1 then ${many.id}::int
    else ${many.id}::int + 1 + n % ${size.beneficiaries}::int end`
  /** The same in JavaScript, since a value is encrypted with its beneficiary's id. */
  const beneficiaryOf = (total: number, n: number): number => {
    if (n % Math.floor(total / size.ofOne) === 0) return one.id
    if (n % Math.floor(total / size.ofMany) === 1) return many.id
    return many.id + 1 + (n % size.beneficiaries)
  }
  // Ten rows share a day four years ago: a page of that day has equally many rows in the small and
  // in the large portal, which the benchmark compares.
  const day = (total: number) => sql`case when n <= 10 then current_date - 1460
    else current_date - (1825 * (1 - n::float8 / ${total}::int))::int end`
  const content = {
    especialidade: 'Cardiologia',
    risco_custo: 'Alto custo de exames',
    risco_doenca: 'Risco de infecção hospitalar',
    descricao_hd: 'Dispneia aos esforços, PA 140/90, sem edema; nega dor torácica. '.repeat(3),
    prescricao_beneficiario: 'Repouso, dieta com pouco sal, retorno em 30 dias com exames. '.repeat(2),
  }
  await inBatches(size.records, async (from, to) => {
    const [ids, numbers] = [await reserveIds(db, 'prontuario', to - from + 1), numbersFrom(from, to)]
    const encrypted = numbers.map((n, index) => {
      const beneficiario = beneficiaryOf(size.records, n)
      return encryptContent(secrets, content, { id: ids[index] ?? 0, beneficiario, versao: 1 })
    })
    await sql`insert into prontuario (id, beneficiario, conteudo, data_prontuario, id_autor, autor, registrado_em)
      select id, ${beneficiaryOfRow(size.records)}, conteudo, ${day(size.records)}, ${clinician.idUsuario}::int, 'Ana Clínica', now()
      from unnest(${ids}::int[], ${encrypted}::text[], ${numbers}::int[]) as novo(id, conteudo, n)`.execute(
      db,
    )
  })
  const texts = { titulo_anexo: 'Exame de imagem', descricao_anexo: 'Radiografia do tórax' }
  await inBatches(size.attachments, async (from, to) => {
    const [ids, numbers] = [await reserveIds(db, 'anexo', to - from + 1), numbersFrom(from, to)]
    const encrypted = numbers.map((n, index) =>
      encryptJson(
        secrets,
        texts,
        attachmentContext({ id: ids[index] ?? 0, beneficiario: beneficiaryOf(size.attachments, n) }),
      ),
    )
    await sql`insert into anexo (id, beneficiario, dados, tipo_anexo, tipo_usuario, data_anexo, arquivo, chave_arquivo,
        formato, tamanho_bytes, id_autor, autor, enviado_em)
      select id, ${beneficiaryOfRow(size.attachments)}, dados, case when n % 5 = 0 then 'PDF' else 'IMG' end, 'USER',
        ${day(size.attachments)}, gen_random_uuid(), ${secrets.encrypt('chave')},
        case when n % 5 = 0 then 'application/pdf' else 'image/png' end, 1000, ${clinician.idUsuario}::int, 'Ana Clínica', now()
      from unnest(${ids}::int[], ${encrypted}::text[], ${numbers}::int[]) as novo(id, dados, n)`.execute(db)
  })
  // Autovacuum, or the portal's nightly work, does this in time.
  await sql`vacuum analyze`.execute(db)
  return { clinician, one, many }
}

const numbersFrom = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)

const inBatches = async (total: number, insert: (from: number, to: number) => Promise<unknown>) => {
  for (let from = 1; from <= total; from += batch) await insert(from, Math.min(total, from + batch - 1))
}
