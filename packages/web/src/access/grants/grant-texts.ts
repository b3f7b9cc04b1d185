/** Returns the texts for saving a user's grants, of one workspace if `nomeGrupo` is given. */
export const grantTexts = (nomeUsuario: string, nomeGrupo?: string) => ({
  question: `Salvar as permissões de ${nomeUsuario}${nomeGrupo === undefined ? '' : ` no grupo ${nomeGrupo}`}?`,
  conflict: 'Outra pessoa alterou estas permissões',
  none: 'Nenhum relatório ficará marcado: as permissões diretas daqui serão todas removidas.',
  saved: 'Permissões salvas!',
})
