// Opens Swagger's page on our own OpenAPI document. A request by somebody who is signed in carries the CSRF token.
const api = document.getElementById("api");

window.SwaggerUIBundle({
  url: api.dataset.schema,
  domNode: api,
  deepLinking: true,
  persistAuthorization: false,
  requestInterceptor(request) {
    if (new URL(request.url, location.href).origin === location.origin) {
      request.headers["X-CSRFToken"] = api.dataset.csrf;
    }
    return request;
  },
});
