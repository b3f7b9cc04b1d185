import { expect, test } from 'vitest'
import { exportJson } from './beneficiary-json.ts'
import type { HeldAttachment, HeldData } from './held-data.repository.ts'

const held: HeldData = {
  beneficiario: {
    id: 1,
    nome_beneficiario: 'Joana Exemplo',
    id_beneficiario: '1',
    data_nascimento: null,
    sexo: null,
    plano: null,
    operadora: null,
    versao: 1,
    versoes: [],
  },
  prontuarios: [],
  anexos: [],
}

const attachment: HeldAttachment = {
  id: 1,
  titulo_anexo: 'T',
  descricao_anexo: 'D',
  data_anexo: '10/03/2026',
  tipo_anexo: 'PDF',
  tipo_usuario: 'USER',
  imagem_anexo: null,
  nome_beneficiario: null,
  id_beneficiario: null,
  beneficiario: 1,
  idAutor: 1,
  registroAutor: null,
  enviado_por: 'Ana',
  formato: 'application/pdf',
  tamanho_bytes: 1_500_000,
  arquivado: null,
  arquivo_ausente: false,
  arquivo_base64: 'A'.repeat(2_000_000),
}

async function* none() {}

const stream = (attachments: AsyncIterable<HeldAttachment>) =>
  exportJson({
    by: 'Rita',
    at: new Date(),
    held,
    records: none(),
    attachments,
    accesses: { count: 0, rows: none() },
  })

test('the JSON of a beneficiary holds at most two files in memory, however slowly the reader reads', async () => {
  let read = 0
  let sent = 0
  async function* attachments() {
    for (let id = 1; id <= 40; id += 1) {
      read += 1
      yield { ...attachment, id }
    }
  }
  let text = ''
  for await (const chunk of stream(attachments())) {
    text += String(chunk)
    if (chunk.length > 1_000_000) sent += 1
    expect(read - sent).toBeLessThanOrEqual(2)
  }
  expect(JSON.parse(text).anexos.map(({ id }: { id: number }) => id)).toEqual(
    Array.from({ length: 40 }, (_, index) => index + 1),
  )
})

test('the JSON of a beneficiary leaves the JSON incomplete when a file cannot be read, so that no part passes for the whole', async () => {
  async function* attachments() {
    yield attachment
    throw new Error('The store has no such file.')
  }
  let text = ''
  const reading = (async () => {
    for await (const chunk of stream(attachments())) text += String(chunk)
  })()
  await expect(reading).rejects.toThrow('The store has no such file.')
  expect(() => JSON.parse(text)).toThrow()
})
