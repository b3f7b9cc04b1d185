type ProfileTab = 'relatorios' | 'membros'

export const profilesPath = '/permissao-relatorio'

export const profilePath = (idPerfil: number, tab: ProfileTab = 'relatorios'): string =>
  tab === 'relatorios' ? `${profilesPath}/${idPerfil}` : `${profilesPath}/${idPerfil}/${tab}`
