import { type ApiKeyDraft, apiKeysApi, keyGroupTexts, userEntity } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { changeOf, explainMissedUpdate } from '../../platform/audit/record-change.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { lockRow } from '../../platform/db/transactions/lock-row.ts'
import type { Caller } from '../../platform/http/callers/caller.ts'
import { KEY_PREFIX } from '../../platform/http/guard/api-key-calls.ts'
import { ifMatchOf } from '../../platform/http/if-match.ts'
import { serveList } from '../../platform/http/lists/serve-list.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { newKey } from '../../platform/lib/prefixed-key.ts'
import { orNotFound, Problem } from '../../platform/lib/problem.ts'
import { notify } from '../../platform/notifications/notify.ts'
import { apiKeyCreatedMail } from '../accounts.mail.ts'
import {
  canUseKeys,
  deleteKey,
  findKey,
  getKeySettings,
  insertKey,
  listKeys,
  listOwnKeys,
  lockKeySettings,
  updateKeySettings,
} from './api-keys.repository.ts'
import { markOfKey } from './key-callers.ts'

const dayMs = 24 * 3_600_000
/** Characters after `bim_` by which the owner recognises a key: 34 random ones stay secret. */
const shownLength = 6

const subjectOf = (idUsuario: number): string => `usuario:${idUsuario}`
const settingsSubject = 'configuracao:chaves'

export const apiKeysRoutes = async (app: FastifyInstance, services: Services) => {
  const { db, secrets, now, config } = services

  serve(app, apiKeysApi.listOwn, async (_, { user }) => ({
    podeCriar: await canUseKeys(db, user.idUsuario),
    mcp: (await getKeySettings(db)).mcp,
    chaves: await listOwnKeys(db, user.idUsuario),
  }))

  serve(app, apiKeysApi.create, async ({ body: { dias, ...draft } }, { user, write }) => {
    const { idUsuario } = user
    assertMayChoose(user, draft.grupos)
    if (!(await canUseKeys(db, idUsuario))) throw new Problem('chaves_desligadas')
    const credencial = newKey(KEY_PREFIX)
    const criadaEm = now()
    const expiraEm = new Date(criadaEm.getTime() + dias * dayMs)
    return write.exclusive(async (tx, audit) => {
      const chave = await insertKey(tx, {
        ...draft,
        idUsuario,
        criadaEm,
        expiraEm,
        metodo: user.metodo,
        marca: markOfKey(secrets, credencial),
        prefixo: credencial.slice(0, KEY_PREFIX.length + shownLength),
      })
      const { nome, grupos, redes } = chave
      const details = { chaveApi: nome, grupos, redes, expiraEm: chave.expiraEm }
      await audit('api-key.created', subjectOf(idUsuario), details)
      await notifyCreated(tx, user, chave)
      return { chave, credencial }
    })
  })

  const notifyCreated = async (
    tx: Db,
    { idUsuario }: Caller,
    chave: Pick<ApiKeyDraft, 'nome' | 'grupos'> & { criadaEm: string; expiraEm: string },
  ): Promise<void> => {
    const texto = `A chave “${chave.nome}” chama o portal em seu nome. Se não foi você, revogue-a e troque a sua senha.`
    const message = (nome: string) => ({
      mail: {
        nome,
        chave: chave.nome,
        permissoes: chave.grupos.map((group) => keyGroupTexts[group].title),
        quando: chave.criadaEm,
        vence: chave.expiraEm,
        link: `${config.publicUrl}/chaves`,
      },
    })
    const mail = { services, kind: apiKeyCreatedMail, message, isForOwner: true }
    const bell = { titulo: 'Chave de API criada', texto, rota: '/chaves' }
    await notify(tx, { audience: [idUsuario], kind: 'chave_api_alterada', bell, mail }, now())
  }

  serve(app, apiKeysApi.revokeOwn, async ({ params: { id } }, { user, write }) => {
    const { idUsuario } = user
    await write.exclusive(async (tx, audit) => {
      const key = orNotFound(await findKey(tx, id, idUsuario))
      await deleteKey(tx, id)
      await audit('api-key.revoked', subjectOf(idUsuario), { chaveApi: key.nome })
    })
  })

  serveList(app, apiKeysApi.list, (query) => listKeys(db, query, now()))

  serve(app, apiKeysApi.revoke, async ({ params: { id } }, { user, write }) => {
    const { idUsuario, nome } = orNotFound(await findKey(db, id))
    await write.after((tx) => lockRow(tx, userEntity, idUsuario))(async (tx, audit) => {
      if (!(await deleteKey(tx, id))) throw new Problem('nao_encontrado')
      await audit('api-key.revoked', subjectOf(idUsuario), { chaveApi: nome })
      const texto = `${user.nomeUsuario} revogou a sua chave “${nome}”. Os programas que a usam param de funcionar.`
      const bell = { titulo: 'Chave de API revogada', texto, rota: '/chaves' }
      const but = [user.idUsuario]
      await notify(tx, { audience: [idUsuario], but, kind: 'chave_api_alterada', bell }, now())
    })
  })

  serve(app, apiKeysApi.getSettings, () => getKeySettings(db))

  serve(app, apiKeysApi.updateSettings, ({ body }, { user, request, assertReauthenticated, write }) =>
    write(async (tx, audit) => {
      const ifMatch = ifMatchOf(request)
      const before = await lockKeySettings(tx)
      if ((body.pessoas && !before.pessoas) || (body.mcp && !before.mcp)) assertReauthenticated()
      const after = await updateKeySettings(tx, body, ifMatch)
      if (!after) throw await explainMissedUpdate(tx, { exists: true, subject: settingsSubject, ifMatch })
      await audit('api-key-settings.updated', settingsSubject, changeOf(before, after))
      const texto = `${user.nomeUsuario} mudou as regras das chaves de API.`
      const bell = { titulo: 'Regras das chaves de API mudadas', texto }
      const but = [user.idUsuario]
      await notify(tx, { audience: 'guardioes', but, kind: 'seguranca_alterada', bell }, now())
      return after
    }),
  )
}

/** @throws Problem 422 when a group is for administrators only */
const assertMayChoose = ({ tipo }: Caller, groups: ApiKeyDraft['grupos']): void => {
  const refused = groups.find((group) => keyGroupTexts[group].isForAdmins && tipo !== 'ADMIN')
  if (!refused) return
  const grupos = `Só administradores escolhem “${keyGroupTexts[refused].title}”.`
  throw new Problem('campos_invalidos', { campos: { grupos } })
}
