/** Problems of kiosks and their screens. */
export const kioskProblems = {
  codigo_tela_vencido: {
    status: 400,
    title: 'Código vencido',
    detail: 'O código desta tela venceu. Peça outro.',
  },
  telao_desconectado: {
    status: 401,
    title: 'Tela desconectada',
    detail:
      'Esta tela não está conectada a um telão. Um administrador a conecta com o código que ela mostra.',
  },
  rede_de_telao: {
    status: 403,
    title: 'Rede não permitida',
    detail:
      'Este telão não pode aparecer na rede desta tela. Um administrador muda as redes no cadastro do telão ou em Segurança.',
  },
  telao_ja_cadastrado: {
    status: 409,
    title: 'Telão já cadastrado',
    detail: 'Já existe um telão com este nome.',
  },
} as const
