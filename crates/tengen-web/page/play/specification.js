// Specifications of bots as texts: `uct:simulations=500,rave=none`.

/** The specification of a bot with another value of a setting, or without it.
 * @param {string} bot
 * @param {string} key
 * @param {string | null} value
 */
export function withSetting(bot, key, value) {
  const colon = bot.indexOf(":");
  const [kind, rest] = colon < 0 ? [bot, ""] : [bot.slice(0, colon), bot.slice(colon + 1)];
  const others = rest.split(",").filter((one) => one !== "" && !one.startsWith(`${key}=`));
  const settings = value === null ? others : [...others, `${key}=${value}`];
  return settings.length === 0 ? kind : `${kind}:${settings.join(",")}`;
}
