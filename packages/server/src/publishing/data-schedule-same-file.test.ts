import { expect, test } from 'vitest'
import { dataScheduleSuite } from '../../test/stand-ins/data-schedule-suite.ts'
import { draftId, reportId } from '../../test/stand-ins/provider-stand-in.ts'

/* A schedule replaces the data by an unchanged file only when something else has replaced them. */

const { suite, signedIn, begin, look, last } = dataScheduleSuite()

const reports = '/publicacoes/relatorios'
const restore = (comDados: boolean) =>
  signedIn.admin.post(`${reports}/${reportId}/versoes/1/restauracao`, { comDados })
const publishFile = () =>
  signedIn.admin.post(`/publicacoes/${draftId}`, {
    workspace: { idGrupo: null, nome: 'Saúde' },
    relatorio: '{}',
    outros: [],
    fuso: 'America/Sao_Paulo',
  })
test.each([
  ['a restored version with its data', 200, () => restore(true)],
  [
    'a replacement by hand',
    200,
    () => signedIn.admin.post(`${reports}/${reportId}/dados`, { rascunho: draftId, tabela: 'Custos' }),
  ],
  ['a published file', 200, () => publishFile()],
  [
    'a file whose publication was not answered',
    503,
    () => {
      suite.provider.answer('checkOrPublishDraft', () => ({ status: 500, body: '' }))
      return publishFile()
    },
  ],
  ['a published folder', 200, () => signedIn.admin.post(`/publicacoes/pastas/${draftId}`)],
  [
    'a folder whose publication was not answered',
    503,
    () => {
      suite.provider.answer('validateFolder', () => ({ status: 500, body: '' }))
      return signedIn.admin.post(`/publicacoes/pastas/${draftId}`)
    },
  ],
])('the same file replaces the data again after %s', async (_name, status, replaceOtherwise) => {
  await begin()
  suite.provider.answer('validateFolder', () => ({
    body: {
      faults: [],
      remarks: [],
      reports: [
        {
          id: reportId.toUpperCase(),
          name: 'Custos',
          replaces: true,
          workspaceId: 'w',
          workspaceName: 'Saúde',
        },
      ],
    },
  }))
  await look()
  expect((await replaceOtherwise()).status).toBe(status)
  await look()
  expect(await last()).toMatchObject({ resultado: 'SUBSTITUIDO' })
  await look()
  expect(await last()).toMatchObject({ resultado: 'INALTERADO' })
})

test('the same file replaces the data again after a replacement by hand during the run', async () => {
  await begin()
  const begun = suite.provider.hold('replaceData')
  const scheduled = look()
  const finish = await begun
  await signedIn.admin.post(`${reports}/${reportId}/dados`, { rascunho: draftId, tabela: 'Custos' })
  finish()
  await scheduled
  await look()
  expect(await last()).toMatchObject({ resultado: 'SUBSTITUIDO' })
})

test('the same file does not replace the data again after a restored definition', async () => {
  await begin()
  await look()
  expect((await restore(false)).status).toBe(200)
  await look()
  expect(await last()).toMatchObject({ resultado: 'INALTERADO' })
})
