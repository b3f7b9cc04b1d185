/** The pages of one's own account, in the order of the popup 'Sua conta'. */
export const accountLinks = [
  { to: '/meu-perfil', label: 'Meu perfil' },
  { to: '/assinaturas', label: 'Assinaturas' },
  { to: '/alertas', label: 'Alertas' },
  { to: '/meus-acessos', label: 'Meus acessos' },
  { to: '/meus-pedidos-acesso', label: 'Meus pedidos de acesso' },
  { to: '/mudar-senha', label: 'Alterar senha' },
  { to: '/segundo-fator', label: 'Segundo fator' },
  { to: '/privacidade', label: 'Privacidade' },
] as const
