/** A shop for the tasks: accounts, cart, coupon, checkout; each visitor has a separate cart. */
import type { IncomingMessage } from 'node:http';

/** A page, or a redirect. */
export interface Served {
  readonly body?: string;
  readonly to?: string;
}

export interface Visit {
  user?: string;
  cart: string[];
  off: number;
}

/** The orders, by customer. */
export interface Order {
  readonly user: string;
  readonly items: readonly string[];
  readonly total: string;
  readonly address: string;
}

export interface Shop {
  readonly orders: readonly Order[];
  visitOf(request: IncomingMessage): { readonly visit: Visit; readonly cookie?: string };
  serve(path: string, given: URLSearchParams, visit: Visit): Served;
}

/** Renders a page: its title, and its content. */
type Write = (title: string, body: string) => string;
type Serve = (given: URLSearchParams, visit: Visit) => Served;

const ITEMS = [
  { id: 'mug-blue', name: 'Blue mug', price: 12.5 },
  { id: 'mug-red', name: 'Red mug', price: 11 },
  { id: 'pot', name: 'Tea pot', price: 34 },
  { id: 'tray', name: 'Wooden tray', price: 19.9 },
];
const itemOf = (id: string) => ITEMS.find((one) => one.id === id)!;
const LOGIN = `<label>Mail <input name="mail" type="email"></label>
<label>Password <input name="password" type="password"></label><button>Log in</button>`;
const CHECKOUT = `<label>Street <input name="street"></label>
<label>Country <select name="country"><option>Germany</option><option>Portugal</option></select></label>
<label><input type="checkbox" name="terms"> I accept the terms</label><button>Place the order</button>`;

const totalOf = ({ cart, off }: Visit): string =>
  cart.reduce((sum, id) => sum + itemOf(id).price * (1 - off), 0).toFixed(2);
const post = (action: string, inside: string): string => `<form method="post" action="${action}">${inside}</form>`;
const hidden = (id: string): string => `<input type="hidden" name="id" value="${id}">`;
const alert = (text: string): string => `<p role="alert">${text}</p>`;

export function createShop(write: Write): Shop {
  const visits = new Map<string, Visit>();
  const orders: Order[] = [];
  const routes: Readonly<Record<string, Serve>> = {
    '/shop': (_given, visit) => ({ body: write('Shop', catalogue(visit)) }),
    '/shop/login': (given, visit) => logIn(given, visit, write),
    '/shop/logout': (_given, visit) => {
      delete visit.user;
      return { to: '/shop' };
    },
    '/shop/add': (given, visit) => inCart(() => visit.cart.push(given.get('id') ?? '')),
    '/shop/remove': (given, visit) => inCart(() => visit.cart.splice(visit.cart.indexOf(given.get('id') ?? ''), 1)),
    '/shop/coupon': (given, visit) => inCart(() => (visit.off = given.get('code') === 'WINTER10' ? 0.1 : 0)),
    '/shop/cart': (_given, visit) => ({ body: write('Cart', cart(visit)) }),
    '/shop/checkout': (given, visit) => checkOut(given, visit, { write, orders }),
  };
  return {
    orders,
    visitOf(request) {
      const [, known] = /visit=(\w+)/.exec(request.headers.cookie ?? '') ?? [];
      // `?new` starts a new visitor, because tasks share one browser and its cookies.
      const isNew = known === undefined || request.url?.endsWith('?new') === true;
      const id = isNew ? crypto.randomUUID().replaceAll('-', '') : known;
      const visit = visits.get(id) ?? { cart: [], off: 0 };
      visits.set(id, visit);
      return { visit, ...(isNew ? { cookie: `visit=${id}; Path=/` } : {}) };
    },
    serve: (path, given, visit) => (routes[path] ?? routes['/shop']!)(given, visit),
  };
}

function inCart(change: () => unknown): Served {
  change();
  return { to: '/shop/cart' };
}

function catalogue({ user, cart: { length } }: Visit): string {
  const list = ITEMS.map(({ id, name, price }) => {
    const add = post('/shop/add', `${hidden(id)}<button aria-label="Add ${name} to the cart">Add</button>`);
    return `<li><h2>${name}</h2><p>${price.toFixed(2)} EUR</p>${add}</li>`;
  });
  const who = user ? `<p>Hello ${user}</p><a href="/shop/logout">Log out</a>` : '<a href="/shop/login">Log in</a>';
  return `${who}<a href="/shop/cart">Cart (${length})</a><ul>${list.join('')}</ul>`;
}

function cart(visit: Visit): string {
  const rows = visit.cart.map(itemOf).map(({ id, name, price }) => {
    const remove = post('/shop/remove', `${hidden(id)}<button aria-label="Remove ${name}">×</button>`);
    return `<tr><td>${name}</td><td>${price.toFixed(2)}</td><td>${remove}</td></tr>`;
  });
  const coupon = post('/shop/coupon', '<label>Coupon <input name="code"></label><button>Apply</button>');
  const total = `<p>Total: ${totalOf(visit)} EUR</p>`;
  return `<table>${rows.join('')}</table>${total}${coupon}<a href="/shop/checkout">Check out</a>`;
}

function logIn(given: URLSearchParams, visit: Visit, write: Write): Served {
  const form = post('/shop/login', LOGIN);
  if (!given.has('mail')) return { body: write('Log in', form) };
  if (given.get('mail') !== 'ann@example.org' || given.get('password') !== 'tea-time')
    return { body: write('Log in', `${alert('Mail or password is wrong.')}${form}`) };
  visit.user = 'ann';
  return { to: '/shop' };
}

function checkOut(
  given: URLSearchParams,
  visit: Visit,
  { write, orders }: { readonly write: Write; readonly orders: Order[] },
): Served {
  if (!visit.user) return { to: '/shop/login' };
  const form = post('/shop/checkout', CHECKOUT);
  if (!given.has('street')) return { body: write('Check out', form) };
  if (!given.has('terms') || !given.get('street'))
    return { body: write('Check out', `${alert('Enter a street and accept the terms.')}${form}`) };
  const address = `${given.get('street')}, ${given.get('country')}`;
  orders.push({ user: visit.user, items: [...visit.cart], total: totalOf(visit), address });
  visit.cart = [];
  return { body: write('Thank you', `<p>Order ${orders.length} was placed.</p>`) };
}
