import { randomUUID } from 'node:crypto'
import { password } from '../users.ts'
import type { GoodCalls } from './good-call.ts'

const importRows = () => ({
  linhas: [
    {
      linha: 2,
      nomeUsuario: `Nova Pessoa ${randomUUID()}`,
      emailUsuario: `${randomUUID()}@exemplo.com.br`,
      senhaUsuario: password,
    },
  ],
})

/** Good calls of users, their grants and profiles. */
export const userCalls: GoodCalls = {
  'GET /usuarios': () => [{ query: 'pagina=1', status: 200 }],
  'GET /usuarios.csv': () => [{ query: 'busca=zzz', status: 200 }],
  'GET /usuarios/:id': ({ person, caller }) => [
    { when: 'oneself', params: { id: caller.idUsuario }, status: 200 },
    { when: 'another', params: { id: person.idUsuario }, status: 200, ofUser: 403 },
  ],
  'POST /usuarios': () => [{ body: { ...importRows().linhas[0] }, status: 201 }],
  'PUT /usuarios/:id': ({ person }) => [
    {
      params: { id: person.idUsuario },
      body: { nomeUsuario: `Outro ${randomUUID()}`, emailUsuario: person.emailUsuario },
      status: 200,
    },
  ],
  'DELETE /usuarios/:id': ({ person }) => [{ params: { id: person.idUsuario }, status: 204 }],
  'POST /usuarios/convites': () => [
    {
      body: { nomeUsuario: `Convidada ${randomUUID()}`, emailUsuario: `${randomUUID()}@exemplo.com.br` },
      status: 202,
    },
  ],
  'POST /usuarios/:id/aprovar': ({ pending, idPerfil }) => [
    { params: { id: pending.idUsuario }, body: { idPerfis: [idPerfil] }, status: 204 },
  ],
  'POST /usuarios/:id/convidar': ({ unconfirmed, idPerfil }) => [
    { params: { id: unconfirmed.idUsuario }, body: { idPerfis: [idPerfil] }, status: 202 },
  ],
  'POST /usuarios/:id/recusar': ({ pending }) => [{ params: { id: pending.idUsuario }, status: 204 }],
  'POST /usuarios/importacao/previa': () => [{ body: importRows(), status: 200 }],
  'POST /usuarios/importacao': () => [{ body: importRows(), status: 201 }],

  'GET /usuarios/relatorio-usuario': () => [{ status: 200 }],
  'GET /usuarios/relatorio-usuario/:idUsuario': ({ person, caller }) => [
    { when: 'one’s own', params: { idUsuario: caller.idUsuario }, status: 200 },
    { when: 'another’s', params: { idUsuario: person.idUsuario }, status: 200, ofUser: 403 },
  ],
  'GET /usuarios/relatorio-usuario/:idUsuario/:idGrupoRelatorio': ({ person, workspace }) => [
    {
      params: { idUsuario: person.idUsuario, idGrupoRelatorio: workspace.idGrupoRelatorio },
      status: 200,
    },
  ],
  'POST /usuarios/relatorio-usuario': ({ person, report }) => [
    { body: { idUsuario: person.idUsuario, idRelatorio: report.idRelatorio }, status: 201 },
  ],
  'DELETE /usuarios/relatorio-usuario/:idUsuario': ({ person }) => [
    { params: { idUsuario: person.idUsuario }, status: 204 },
  ],
  'PUT /usuarios/relatorio-usuario/:idUsuario': ({ person, report }) => [
    {
      params: { idUsuario: person.idUsuario },
      body: { idRelatorios: [report.idRelatorio] },
      status: 200,
    },
  ],
  'GET /usuarios/:idUsuario/acesso/:idRelatorio': ({ person, report }) => [
    { params: { idUsuario: person.idUsuario, idRelatorio: report.idRelatorio }, status: 200 },
  ],
  'GET /usuarios/:idUsuario/menus': ({ person }) => [
    { params: { idUsuario: person.idUsuario }, status: 200 },
  ],
  'GET /usuarios/:idUsuario/menus/:idGrupoRelatorio': ({ person, workspace }) => [
    {
      params: { idUsuario: person.idUsuario, idGrupoRelatorio: workspace.idGrupoRelatorio },
      status: 200,
    },
  ],

  'GET /perfis/:id/relatorios': ({ idPerfil }) => [{ params: { id: idPerfil }, status: 200 }],
  'GET /perfis/:id/relatorios/:idGrupoRelatorio': ({ idPerfil, workspace }) => [
    { params: { id: idPerfil, idGrupoRelatorio: workspace.idGrupoRelatorio }, status: 200 },
  ],
  'PUT /perfis/:id/relatorios': ({ idPerfil, report }) => [
    { params: { id: idPerfil }, body: { idRelatorios: [report.idRelatorio] }, status: 200 },
  ],
  'GET /perfis/:id/membros': ({ idPerfil }) => [{ params: { id: idPerfil }, status: 200 }],
  'GET /perfis/:id/candidatos': ({ idPerfil }) => [
    { params: { id: idPerfil }, query: 'pagina=1', status: 200 },
  ],
  'POST /perfis/:id/candidatos/conferir': ({ idPerfil, person }) => [
    { params: { id: idPerfil }, body: { emails: [person.emailUsuario] }, status: 200 },
  ],
  'PUT /perfis/:id/membros': ({ idPerfil, person }) => [
    { params: { id: idPerfil }, body: { adicionar: [person.idUsuario] }, status: 200 },
  ],
}
