/** What saving somebody's grants says: all of them, or those of one workspace. */
export const grantTexts = (nomeUsuario: string, nomeGrupo?: string) => ({
  question: `Salvar as permissões de ${nomeUsuario}${nomeGrupo === undefined ? '' : ` no grupo ${nomeGrupo}`}?`,
  conflict: 'Outra pessoa alterou estas permissões',
  none: 'Nenhum relatório ficará marcado: as permissões diretas daqui serão todas removidas.',
  saved: 'Permissões salvas!',
})
