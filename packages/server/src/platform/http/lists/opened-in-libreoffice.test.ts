import { expect, test } from 'vitest'
import {
  convertFiles,
  hasLibreOffice,
  NEEDS_LIBREOFFICE,
  type OpenedCell,
  openedCells,
} from '../../../../../../scripts/machines/libreoffice.ts'
import { useTestApp } from '../../../../test/use-test-app.ts'
import { createUser } from '../../../../test/users.ts'

/* LibreOffice opens the CSV of a list as in Brazil, and keeps the values and types of its rows. */

const app = useTestApp()
const text = (value: string): OpenedCell => ({ type: 'string', value })

const FORMULAS = ['=1+1', '+1+1', '-1+1', '@SUM(A1)', "=cmd|' /C calc'!A0", '\t=1+1']
const SPECIAL = [
  'a;b "c"',
  'duas\nlinhas',
  '00123',
  '1.234,56',
  '05/03/2026',
  "'já com apóstrofo",
  'São João, o 2º',
]
const names = [...FORMULAS, ...SPECIAL]

test.skipIf(!hasLibreOffice)(
  `LibreOffice opens the CSV of a list ${NEEDS_LIBREOFFICE}`,
  async () => {
    const seen = new Date('2026-03-05T17:30:15Z')
    for (const [index, nomeUsuario] of names.entries()) {
      const { idUsuario } = await createUser(app, {
        nomeUsuario,
        emailUsuario: `pessoa${String(index).padStart(2, '0')}@exemplo.com.br`,
        conselhoProfissional: 'CRM',
        numeroRegistro: '00123',
        ufRegistro: 'SP',
      })
      await app.db
        .updateTable('acessoUsuario')
        .set({ ultimoAcesso: seen })
        .where('idUsuario', '=', idUsuario)
        .execute()
    }
    const admin = await app.as(
      await createUser(app, { tipoUsuario: 'ADMIN', emailUsuario: 'zz@exemplo.com.br' }),
    )
    const { status, body } = await admin.get('/usuarios.csv?ordem=emailUsuario')
    expect(status).toBe(200)
    const headings = String(body).replace('\uFEFF', '').split('\r\n')[0]?.split(';') ?? []
    const at = (heading: string) => headings.indexOf(heading)
    // A person declares codes as text in the dialog: a CSV has no types.
    const asText = ['Nome do usuário', 'Número do registro'].map((heading) => at(heading) + 1)
    const [converted] = convertFiles([{ name: 'usuarios.csv', bytes: String(body) }], { to: 'fods', asText })
    const [sheet] = Object.values(openedCells(converted as Buffer))
    expect(sheet?.[0]).toEqual(headings.map(text))
    const rows = sheet?.slice(1, names.length + 1) ?? []
    // An apostrophe before what a spreadsheet would run as a formula.
    const guarded = names.map((name) => (/^[=+\-@\t]/.test(name) ? `'${name}` : name))
    expect(rows.map((row) => row[at('Nome do usuário')])).toEqual(guarded.map(text))
    const inEachRow: [string, OpenedCell][] = [
      ['Perfil', text('USER')],
      ['E-mail confirmado', text('sim')],
      ['Acesso a prontuários', text('não')],
      ['Conta válida até', undefined],
      ['Último acesso', { type: 'date', value: '2026-03-05T14:30:15' }],
      ['Número do registro', text('00123')],
    ]
    for (const [heading, cell] of inEachRow)
      expect([heading, ...rows.map((row) => row[at(heading)])]).toEqual([heading, ...names.map(() => cell)])
  },
  400_000,
)
