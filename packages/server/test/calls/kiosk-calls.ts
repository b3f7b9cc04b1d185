import { connectedScreen, createKiosk, waitingScreen } from '../distribution/kiosks.ts'
import type { Targets } from './call-targets.ts'
import type { GoodCalls } from './good-call.ts'

const connectedBy = async ({ app, report }: Targets, { idUsuario }: Targets['caller']) => {
  const kiosk = await createKiosk(app, [report.idRelatorio])
  await connectedScreen(app, { idTelao: kiosk.idTelao, conectadaPor: idUsuario })
  return { id: kiosk.idTelao }
}
const kioskOf = (targets: Targets) => connectedBy(targets, targets.person)

/** Pages of the kiosks whose screens the caller has connected: the matrix calls with a credential of one. */
const pageCalls = async (targets: Targets) => {
  const { app, caller } = targets
  const find = () =>
    app.db
      .selectFrom('telaoPagina')
      .innerJoin('telaoTela', 'telaoTela.idTelao', 'telaoPagina.idTelao')
      .select('idTelaoPagina')
      .where('conectadaPor', '=', caller.idUsuario)
      .execute()
  let pages = await find()
  if (pages.length === 0) {
    await connectedBy(targets, caller)
    pages = await find()
  }
  return pages.map(({ idTelaoPagina }) => ({ params: { id: idTelaoPagina }, status: 200 }))
}

/** Good calls of kiosks besides those of their record, and of their screens. */
export const kioskCalls: GoodCalls = {
  'GET /usuarios/telao/relatorio/:idRelatorio/paginas': ({ report }) => [
    { params: { idRelatorio: report.idRelatorio }, status: 200 },
  ],
  ...Object.fromEntries(
    ['conferir', 'conectar'].map((call) => [
      `POST /usuarios/telao/:id/${call}`,
      async (targets: Targets) => {
        const { codigo } = await waitingScreen(targets.app)
        return [{ params: await kioskOf(targets), body: { codigo }, status: 200 }]
      },
    ]),
  ),
  'POST /usuarios/telao/:id/desconectar': async (targets) => [
    { params: await kioskOf(targets), status: 200 },
  ],
  'POST /telao/codigo': () => [{ status: 201 }],
  'POST /telao/espera': async ({ app }) => {
    const { credencial } = await waitingScreen(app)
    return [{ body: { credencial }, status: 200 }]
  },
  'GET /telao/rotacao': () => [{ status: 200 }],
  'POST /telao/paginas/:id/embed': pageCalls,
  'GET /telao/paginas/:id/dados': pageCalls,
}
