import type { IncidentDraft } from '@bi-manager/contract'
import { encryptJson } from '../../src/clinical/health-data/encrypted-json.ts'
import { incidentContext } from '../../src/clinical/health-data/encryption-contexts.ts'
import { reserveId } from '../../src/clinical/health-data/row-numbers.ts'
import type { TestApp } from '../test-app.ts'

export const incidentDraft = (fields: Partial<IncidentDraft> = {}): IncidentDraft => ({
  titulo: 'Planilha enviada ao destinatário errado',
  conhecido_em: '2026-06-12T12:00:00.000Z',
  descricao: 'Uma planilha com 12 pessoas foi a um endereço parecido.',
  dados_afetados: 'Nome, CPF e plano.',
  gravidade: 'medio',
  exige_comunicacao: true,
  ...fields,
})

/** @returns the incident's id */
export const createIncident = async ({
  db,
  services: { secrets },
}: Pick<TestApp, 'db' | 'services'>): Promise<number> => {
  const { titulo, descricao, dados_afetados, gravidade, exige_comunicacao, conhecido_em } = incidentDraft()
  const texts = { titulo, descricao, dados_afetados, medidas: null, motivo_sem_comunicacao: null }
  const id = await reserveId(db, 'incidente')
  await db
    .insertInto('incidente')
    .values({
      id,
      conteudo: encryptJson(secrets, texts, incidentContext({ id, versao: 1 })),
      conhecidoEm: new Date(conhecido_em),
      ocorridoEm: null,
      titularesAfetados: null,
      gravidade,
      exigeComunicacao: exige_comunicacao,
      comunicadoAnpdEm: null,
      comunicadoTitularesEm: null,
      encerradoEm: null,
      idAutor: 1,
      autor: 'Autora',
      registradoEm: new Date(),
    })
    .execute()
  return id
}
