/** What saving somebody's grants says. */
export const grantTexts = (nomeUsuario: string) => ({
  question: `Salvar as permissões de ${nomeUsuario}?`,
  conflict: 'Outra pessoa alterou estas permissões',
  none: 'Nenhum relatório ficará marcado: as permissões diretas daqui serão todas removidas.',
  saved: 'Permissões salvas!',
})
