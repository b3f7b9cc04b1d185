import { expect, test } from 'vitest'
import { endpoints } from '../../../test/calls/endpoints.ts'
import { createAttachment } from '../../../test/clinical/attachments.ts'
import { createEntity, recordDraft } from '../../../test/clinical/medical-records.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

const app = useTestApp({}, { resets: false })

/* Access by other users' record ids (OpenEMR CVE-2026-25929). The flag covers all patients, so
   only archived data is out of reach. */
test('a user with the flag can read every patient, and nothing archived by any call', async () => {
  const stranger = await createUser(app)
  const clinician = await app.as(await createUser(app, { acessoProntuario: true }))
  const author = { idUsuario: stranger.idUsuario, nomeUsuario: 'Outra pessoa' }
  const { id, beneficiario } = await createEntity(app, author)
  const attachment = await createAttachment({ app, caller: stranger })
  expect((await clinician.get(`/beneficiarios/${beneficiario}`)).status).toBe(200)
  expect((await clinician.get(`/prontuarios/${id}`)).status).toBe(200)
  expect((await clinician.del(`/prontuarios/${id}`)).status).toBe(204)
  expect((await clinician.del(`/anexos/${attachment}`)).status).toBe(204)
  const calls = endpoints.filter(
    ({ permission, url }) => permission === 'records:access' && /^\/(prontuarios|anexos)\/:id/.test(url),
  )
  expect(calls.length).toBeGreaterThan(6)
  const { nome_beneficiario: _, id_beneficiario: __, ...content } = recordDraft()
  for (const { method, url } of calls) {
    const path = url.replace(':id', String(url.startsWith('/anexos') ? attachment : id))
    const answer = {
      GET: () => clinician.get(path),
      POST: () => clinician.post(path),
      PUT: () => clinician.put(path, content),
      DELETE: () => clinician.del(path),
    }[method as 'GET' | 'POST' | 'PUT' | 'DELETE']
    expect((await answer()).status, `${method} ${url}`).toBe(404)
  }
})
