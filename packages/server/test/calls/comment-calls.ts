import { createComment } from '../reports/comments.ts'
import type { Targets } from './call-targets.ts'
import type { GoodCall, GoodCalls } from './good-call.ts'

interface Commented {
  id: number
  idComentario: number
}

/** Returns the same call for the caller's comments on a granted report, and on one that is not. */
const ofBoth = async (
  { app, caller, granted, report }: Targets,
  call: (target: Commented) => GoodCall,
): Promise<GoodCall[]> => {
  const commented = async ({ idRelatorio }: Targets['granted']) => {
    const { idUsuario } = caller
    const { idComentario } = await createComment(app, { idRelatorio, idUsuario })
    return { id: idRelatorio, idComentario }
  }
  return [
    { when: 'granted', ...call(await commented(granted)) },
    { when: 'not granted', ...call(await commented(report)), ofUser: 403 },
  ]
}

const ofReport = (targets: Targets, call: Omit<GoodCall, 'params'>) =>
  ofBoth(targets, ({ id }) => ({ params: { id }, ...call }))

const ofComment = (targets: Targets, call: Omit<GoodCall, 'params'>) =>
  ofBoth(targets, (params) => ({ params: { ...params }, ...call }))

/** Good calls of comments; `every-call.ts` includes them. */
export const commentCalls: GoodCalls = {
  'GET /usuarios/relatorio/:id/comentarios': (targets) => ofReport(targets, { status: 200 }),
  'POST /usuarios/relatorio/:id/comentarios': (targets) =>
    ofReport(targets, { body: { texto: 'Olá' }, status: 201 }),
  'GET /usuarios/relatorio/:id/comentarios/pessoas': (targets) => ofReport(targets, { status: 200 }),
  'GET /usuarios/relatorio/:id/comentarios/:idComentario': (targets) => ofComment(targets, { status: 200 }),
  'GET /usuarios/relatorio/:id/comentarios/:idComentario/respostas': (targets) =>
    ofComment(targets, { status: 200 }),
  'GET /usuarios/relatorio/:id/comentarios/:idComentario/estado': (targets) =>
    ofComment(targets, { status: 200 }),
  'PUT /usuarios/relatorio/:id/comentarios/:idComentario': (targets) =>
    ofComment(targets, { body: { texto: 'Melhor' }, status: 200 }),
  'PUT /usuarios/relatorio/:id/comentarios/:idComentario/situacao': (targets) =>
    ofComment(targets, { body: { resolvido: true }, status: 200 }),
  'DELETE /usuarios/relatorio/:id/comentarios/:idComentario': (targets) =>
    ofComment(targets, { status: 204 }),
  'GET /comentarios/:id': async (targets) => {
    const calls = await ofBoth(targets, ({ idComentario }) => ({ params: { id: idComentario }, status: 200 }))
    // It does not tell that a comment exists.
    return calls.map((call) => (call.ofUser ? { ...call, ofUser: 404 } : call))
  },
  'GET /configuracao/comentarios': () => [{ status: 200 }],
  'PUT /configuracao/comentarios': () => [{ body: { comentarios: true }, status: 200 }],
}
