import { createHash, hkdfSync } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { giveSecondFactor } from '../../../test/accounts/second-factor.ts'
import { createBeneficiary } from '../../../test/clinical/beneficiaries.ts'
import { mailsOf } from '../../../test/mails.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser, password } from '../../../test/users.ts'
import { findByPlanId } from '../../clinical/beneficiaries/beneficiaries.ts'
import {
  assertBlindIndexesMatch,
  upgradeBlindIndexes,
} from '../../clinical/beneficiaries/beneficiary-marks.ts'

/* Digests from before the HMAC (SHA-256 of key and value) still find accounts and beneficiaries. */

const secret = 'o segredo de uma instalação de antes do HMAC'

/** As versions before the HMAC computed it. */
const earlier = (value: string): string => {
  const key = Buffer.from(hkdfSync('sha256', secret, 'bi-manager', 'digest', 32))
  return createHash('sha256').update(key).update(value).digest('base64url')
}

const app = useTestApp({ APP_SECRET: secret, SIGN_IN_FAILURES: '5' })

const headers = { 'x-dispositivo': 'aQ9c1vY0b2pXo3nZ4rT5uWvA' }

test('the portal computes the earlier digest of a value and never stores it', async () => {
  expect(app.services.secrets.earlierDigest('valor')).toBe(earlier('valor'))
  expect(app.services.secrets.digest('valor')).not.toBe(earlier('valor'))
})

test('an earlier recovery code signs its owner in once', async () => {
  const { idUsuario, emailUsuario } = await createUser(app)
  const { recoveryCodes } = await giveSecondFactor(app, idUsuario)
  const marca = earlier(`codigo-recuperacao:${idUsuario}:${recoveryCodes[0]?.replaceAll('-', '')}`)
  await app.db.deleteFrom('codigoRecuperacao').execute()
  await app.db.insertInto('codigoRecuperacao').values({ idUsuario, marca, usadoEm: null }).execute()
  const signIn = () =>
    app.anonymous.post('/usuarios/authorizer', {
      username: emailUsuario,
      password,
      codigo: recoveryCodes[0],
    })
  expect((await signIn()).status).toBe(200)
  expect((await signIn()).status).toBe(401)
})

test('an earlier invitation is accepted once', async () => {
  const admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
  const bia = { nomeUsuario: 'Bia Costa', emailUsuario: 'bia@exemplo.com.br' }
  expect((await admin.post('/usuarios/convites', bia)).status).toBe(202)
  const [token = ''] = (await mailsOf(app)).flatMap(({ mail }) =>
    mail.modelo === 'convite' ? (new URL(mail.link ?? '').searchParams.get('token') ?? []) : [],
  )
  await app.db
    .updateTable('linkConta')
    .set({ marca: earlier(`link:${token}`) })
    .execute()
  expect((await app.anonymous.post('/login/verificar-link', { token })).status).toBe(200)
  const accept = () => app.anonymous.post('/login/redefinir-senha', { token, novaSenha: 'Primeira senha 1' })
  expect((await accept()).status).toBeLessThan(300)
  expect((await accept()).status).toBeGreaterThanOrEqual(400)
})

test('an earlier known device keeps its own sign-in limit while others guess', async () => {
  const { idUsuario, emailUsuario: username } = await createUser(app)
  const marca = earlier(`dispositivo:${headers['x-dispositivo']}`)
  await app.db
    .insertInto('dispositivoConhecido')
    .values({ idUsuario, marca, ultimoUso: new Date() })
    .execute()
  const signIn = (given: string, sent = {}) =>
    app.anonymous.post('/usuarios/authorizer', { username, password: given }, sent)
  for (let n = 0; n < 5; n += 1) await signIn('errada')
  expect((await signIn(password)).status).toBe(429)
  expect((await signIn(password, headers)).status).toBe(200)
})

test('beneficiaries with earlier digests are found after the start, also after an interrupted one', async () => {
  const { db, services } = app
  const ids = ['100', '200', '300']
  for (const id of ids) {
    const { id: number } = await createBeneficiary(app, {
      id_beneficiario: id,
      nome_beneficiario: `Pessoa ${id}`,
    })
    const [marcaId, marcaNome] = [earlier(`beneficiario:id:${id}`), earlier(`beneficiario:nome:pessoa ${id}`)]
    await db.updateTable('beneficiario').set({ marcaId, marcaNome }).where('id', '=', number).execute()
  }
  const { secrets } = services
  expect(await findByPlanId(db, secrets, '200')).toBeUndefined()
  // The interrupted start has renewed the first one.
  const [marcaId, marcaNome] = [
    secrets.digest('beneficiario:id:100'),
    secrets.digest('beneficiario:nome:pessoa 100'),
  ]
  await sql`update beneficiario set marca_id = ${marcaId}, marca_nome = ${marcaNome}
    where id = (select min(id) from beneficiario)`.execute(db)

  expect(await upgradeBlindIndexes(db, secrets)).toBe(3)
  await expect(assertBlindIndexesMatch(db, secrets)).resolves.toBeUndefined()
  for (const id of ids) {
    expect((await findByPlanId(db, secrets, id))?.nome_beneficiario).toBe(`Pessoa ${id}`)
  }
  const { rows } = await sql<{
    nome: string
  }>`select marca_nome as nome from beneficiario order by id`.execute(db)
  expect(rows.map(({ nome }) => nome)).toEqual(
    ids.map((id) => secrets.digest(`beneficiario:nome:pessoa ${id}`)),
  )
  expect(await upgradeBlindIndexes(db, secrets)).toBe(0)
})
