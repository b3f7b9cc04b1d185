import { sealContent } from '@bi-manager/server/clinical/record-content'
import { sealJson } from '@bi-manager/server/clinical/sealed-json'
import { createBeneficiary } from '@bi-manager/server/test/beneficiaries'
import type { TestApp } from '@bi-manager/server/test/test-app'
import { createUser } from '@bi-manager/server/test/users'
import { sql } from 'kysely'

export interface RecordsSize {
  records: number
  attachments: number
  /** Beside the two that are measured. */
  beneficiaries: number
  /** Records, and attachments, of an ordinary beneficiary that is measured. */
  ofOne: number
  /** Of one who is treated all the time. */
  ofMany: number
}

/** Rows a statement: the triggers that count keep each statement's rows aside until it ends. */
const batch = 50_000

/**
 * Fills an empty database. All records share one sealed text, and all beneficiaries but two one sealed entry: what is sealed is
 * never searched. The digests that beneficiaries are found by differ. Days are the last five years.
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
  const person = sealJson(secrets, {
    nome_beneficiario: 'Fulano Fictício de Tal',
    id_beneficiario: '0000',
    data_nascimento: '10/03/1970',
    sexo: 'outro',
    plano: 'Pleno',
    operadora: 'CNU',
  })
  const mark = (kind: string) => sql`encode(sha256((${kind}::text || n)::bytea), 'hex')`
  await sql`insert into beneficiario (dados, marca_id, marca_nome, cadastrado_em, id_autor, autor, ultimo_registro)
    select ${person}, ${mark('id')}, ${mark('nome')}, now(), ${clinician.idUsuario}::int, 'Ana Clínica', current_date
    from generate_series(1, ${size.beneficiaries}::int) n`.execute(db)

  /** The measured ones come evenly spread over the rows; the others take the rest in turns. */
  const owner = (total: number) => sql`case
    when n % ${Math.floor(total / size.ofOne)}::int = 0 then ${one.id}::int
    when n % ${Math.floor(total / size.ofMany)}::int = 1 then ${many.id}::int
    else ${many.id}::int + 1 + n % ${size.beneficiaries}::int end`
  // The first ten share a day four years ago, so that a page of that day is full on both sites.
  const day = (total: number) => sql`case when n <= 10 then current_date - 1460
    else current_date - (1825 * (1 - n::float8 / ${total}::int))::int end`
  const conteudo = sealContent(secrets, {
    especialidade: 'Cardiologia',
    risco_custo: 'Alto custo de exames',
    risco_doenca: 'Risco de infecção hospitalar',
    descricao_hd: 'Dispneia aos esforços, PA 140/90, sem edema; nega dor torácica. '.repeat(3),
    prescricao_beneficiario: 'Repouso, dieta com pouco sal, retorno em 30 dias com exames. '.repeat(2),
  })
  await inBatches(size.records, (from, to) =>
    sql`insert into prontuario (beneficiario, conteudo, data_prontuario, id_autor, autor, registrado_em)
      select ${owner(size.records)}, ${conteudo}, ${day(size.records)}, ${clinician.idUsuario}::int, 'Ana Clínica', now()
      from generate_series(${from}::int, ${to}::int) n`.execute(db),
  )
  const dados = sealJson(secrets, {
    titulo_anexo: 'Exame de imagem',
    descricao_anexo: 'Radiografia do tórax',
  })
  await inBatches(size.attachments, (from, to) =>
    sql`insert into anexo (beneficiario, dados, tipo_anexo, tipo_usuario, data_anexo, arquivo, chave_arquivo, formato,
        tamanho_bytes, id_autor, autor, enviado_em)
      select ${owner(size.attachments)}, ${dados}, case when n % 5 = 0 then 'PDF' else 'IMG' end, 'USER',
        ${day(size.attachments)}, gen_random_uuid(), ${secrets.seal('chave')},
        case when n % 5 = 0 then 'application/pdf' else 'image/png' end, 1000, ${clinician.idUsuario}::int, 'Ana Clínica', now()
      from generate_series(${from}::int, ${to}::int) n`.execute(db),
  )
  // As autovacuum, or our own housekeeping, would have done by and by.
  await sql`vacuum analyze`.execute(db)
  return { clinician, one, many }
}

const inBatches = async (total: number, insert: (from: number, to: number) => Promise<unknown>) => {
  for (let from = 1; from <= total; from += batch) await insert(from, Math.min(total, from + batch - 1))
}
