import { type Entity, entities, type ProblemCode, problems } from '@bi-manager/contract'
import { Problem } from '../../lib/problem.ts'

/** Unique constraint → the problem's code, and the body field that shows it. */
const duplicates: Record<string, [code: ProblemCode, field: string]> = {
  ...Object.fromEntries(
    entities.flatMap(({ unique }: Entity) =>
      unique ? [[unique.constraint, [unique.problem, unique.field]]] : [],
    ),
  ),
  capacidade_conexao_unica: ['conexao_com_capacidade', 'idPowerBi'],
  chave_api_nome_unico: ['chave_ja_cadastrada', 'nome'],
  visao_salva_nome_unico: ['visao_ja_cadastrada', 'nome'],
}

/** Foreign key → the body field with the missing reference. */
const missing: Record<string, [field: string, message: string]> = {
  powerbi_cliente_id_fkey: ['clienteId', 'Este cliente não existe mais.'],
  powerbi_id_responsavel_fkey: ['idResponsavel', 'Este responsável não existe mais.'],
  usuario_id_responsavel_fkey: ['idResponsavel', 'Este responsável não existe mais.'],
  grupo_relatorio_id_power_bi_fkey: ['idPowerBi', 'Este Powerbi não existe mais.'],
  capacidade_id_power_bi_fkey: ['idPowerBi', 'Este Powerbi não existe mais.'],
  relatorio_id_grupo_relatorio_fkey: ['idGrupoRelatorio', 'Este grupo não existe mais.'],
  relatorio_usuario_id_usuario_fkey: ['idUsuario', 'Este usuário não existe mais.'],
  relatorio_usuario_id_relatorio_fkey: ['idRelatorio', 'Este relatório não existe mais.'],
  perfil_relatorio_id_perfil_fkey: ['idPerfil', 'Este perfil não existe mais.'],
  perfil_relatorio_id_relatorio_fkey: ['idRelatorios', 'Um dos relatórios não existe mais.'],
  perfil_usuario_id_perfil_fkey: ['idPerfil', 'Este perfil não existe mais.'],
  perfil_usuario_id_usuario_fkey: ['adicionar', 'Um dos usuários não existe mais.'],
  convidado_id_relatorio_fkey: ['idRelatorio', 'Este relatório não existe mais.'],
  telao_pagina_id_relatorio_fkey: ['paginas', 'Um dos relatórios não existe mais. Retire a página dele.'],
  aviso_perfil_id_perfil_fkey: ['idPerfis', 'Um dos perfis não existe mais. Escolha de novo.'],
  assinatura_pessoa_id_usuario_fkey: ['idPessoas', 'Uma das pessoas não existe mais. Escolha de novo.'],
  assinatura_perfil_id_perfil_fkey: ['idPerfis', 'Um dos perfis não existe mais. Escolha de novo.'],
  pagina_id_relatorio_fkey: ['idRelatorio', 'Este relatório não existe mais.'],
}

/** Maps a violated constraint to a problem, so that routes need no check before they write. */
export const problemOfConstraint = (
  { code, constraint }: { code?: string; constraint?: string },
  method: string,
): Problem | undefined => {
  if (code === '23505' && constraint) {
    const [known, at] = duplicates[constraint] ?? []
    return known && at ? new Problem(known, { campos: { [at]: problems[known].detail } }) : undefined
  }
  if (code !== '23503' || !constraint) return undefined
  if (method === 'DELETE') return new Problem('registro_em_uso')
  const [field, message] = missing[constraint] ?? []
  return field && message ? new Problem('campos_invalidos', { campos: { [field]: message } }) : undefined
}
